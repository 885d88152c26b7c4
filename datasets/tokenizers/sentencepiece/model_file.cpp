#include "datasets/tokenizers/sentencepiece/model_file.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "datasets/tokenizers/models/vocabulary.h"
#include "datasets/tokenizers/normalizers/character_trie.h"
#include "datasets/tokenizers/unicode/utf8.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

// Field numbers of sentencepiece_model.proto.
enum ModelField : uint32_t { kPieces = 1, kTrainerSpec = 2, kNormalizerSpec = 3 };
enum PieceField : uint32_t { kText = 1, kScore = 2, kType = 3 };
enum TrainerField : uint32_t { kModelType = 3, kByteFallback = 35 };
enum NormalizerField : uint32_t {
  kCharacterMap = 2,
  kAddDummyPrefix = 3,
  kRemoveExtraWhitespaces = 4,
  kEscapeWhitespaces = 5,
};
constexpr uint32_t kNormalizerName = 1;
constexpr uint32_t kVocabularySize = 4;  // a TrainerField that is only written
constexpr uint64_t kUnigramModel = 1;
constexpr uint64_t kBpeModel = 2;  // a value of kModelType
enum WireType : uint32_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

struct Field {
  uint32_t number;
  uint32_t wire_type;
  uint64_t value = 0;           // of numbers
  std::string_view bytes = {};  // of texts and messages
};

// Walks over the fields of one message.
class MessageReader {
 public:
  MessageReader(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  std::optional<Field> next() {
    if (bytes_.empty()) return {};
    const uint64_t tag = varint();
    Field field{static_cast<uint32_t>(tag >> 3), static_cast<uint32_t>(tag & 7)};
    switch (field.wire_type) {
      case kVarint:
        field.value = varint();
        break;
      case kFixed64:
        field.value = fixed(8);
        break;
      case kFixed32:
        field.value = fixed(4);
        break;
      case kBytes:
        field.bytes = take(varint());
        break;
      default:
        fail();
    }
    return field;
  }

 private:
  [[noreturn]] void fail() const {
    throw input_error("{}: is cut off or is no SentencePiece model. Get a complete copy of the file.", where_);
  }
  std::string_view take(uint64_t size) {
    if (size > bytes_.size()) fail();
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    fail();
  }
  uint64_t fixed(std::size_t size) {
    uint64_t value = 0;
    std::memcpy(&value, take(size).data(), size);
    return value;
  }

  std::string_view bytes_;
  const std::string& where_;
};

// The opposite.
class MessageWriter {
 public:
  void bytes(uint32_t field, std::string_view value) {
    tag(field, kBytes);
    varint(value.size());
    text_ += value;
  }
  void number(uint32_t field, uint64_t value) {
    tag(field, kVarint);
    varint(value);
  }
  void number(uint32_t field, float value) {
    tag(field, kFixed32);
    const auto bits = std::bit_cast<uint32_t>(value);
    for (int shift = 0; shift < 32; shift += 8) text_ += static_cast<char>(bits >> shift & 0xFF);
  }
  const std::string& text() const { return text_; }

 private:
  void tag(uint32_t field, WireType type) { varint(uint64_t{field} << 3 | type); }
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) text_ += static_cast<char>((value & 0x7F) | 0x80);
    text_ += static_cast<char>(value);
  }
  std::string text_;
};

SentencePieceFile::Piece read_piece(std::string_view bytes, const std::string& where) {
  SentencePieceFile::Piece piece;
  MessageReader reader(bytes, where);
  while (const auto field = reader.next()) {
    if (field->number == kText) piece.text = field->bytes;
    if (field->number == kScore) piece.score = std::bit_cast<float>(static_cast<uint32_t>(field->value));
    if (field->number == kType) piece.type = static_cast<SentencePieceFile::PieceType>(field->value);
  }
  if (piece.text.empty() || !is_valid_utf8(piece.text)) {
    throw input_error("{}: holds a piece that is empty or no UTF-8. Get another copy of the file.", where);
  }
  return piece;
}

void check_character_map(std::string_view map, const std::string& where) {
  if (map.empty()) return;
  const auto trie = CharacterTrie::read(map);
  if (trie && trie->is_sound()) return;
  throw input_error("{}: its map of characters is damaged. Get another copy of the file.", where);
}

void read_trainer_spec(std::string_view bytes, const std::string& where, SentencePieceFile& file) {
  MessageReader reader(bytes, where);
  while (const auto field = reader.next()) {
    if (field->number == kModelType) file.is_bpe = field->value == kBpeModel;
    if (field->number == kByteFallback) file.has_byte_fallback = field->value != 0;
  }
}

void read_normalizer_spec(std::string_view bytes, const std::string& where, SentencePieceFile& file) {
  MessageReader reader(bytes, where);
  while (const auto field = reader.next()) {
    if (field->number == kCharacterMap) {
      check_character_map(field->bytes, where);
      file.has_character_map = !field->bytes.empty();
    }
    if (field->number == kAddDummyPrefix) file.add_dummy_prefix = field->value != 0;
    if (field->number == kRemoveExtraWhitespaces) file.remove_extra_whitespaces = field->value != 0;
    if (field->number == kEscapeWhitespaces) file.escape_whitespaces = field->value != 0;
  }
}

}  // namespace

SentencePieceFile read_sentencepiece_file(std::string_view bytes, const std::string& where) {
  SentencePieceFile file;
  MessageReader model(bytes, where);
  while (const auto field = model.next()) {
    if (field->wire_type != kBytes) continue;
    if (field->number == kPieces) file.pieces.push_back(read_piece(field->bytes, where));
    if (field->number == kTrainerSpec) read_trainer_spec(field->bytes, where, file);
    if (field->number == kNormalizerSpec) read_normalizer_spec(field->bytes, where, file);
  }
  if (file.pieces.empty()) {
    throw input_error("{}: holds no pieces, so it is no SentencePiece model. Get a complete copy of the file.", where);
  }
  if (static_cast<int64_t>(file.pieces.size()) > kMostTokens) {
    throw input_error("{}: holds {} pieces, more than any model. Get another copy of the file.", where,
                      file.pieces.size());
  }
  return file;
}

std::string write_sentencepiece_file(const SentencePieceFile& file) {
  MessageWriter model;
  for (const SentencePieceFile::Piece& piece : file.pieces) {
    MessageWriter one;
    one.bytes(kText, piece.text);
    one.number(kScore, piece.score);
    one.number(kType, static_cast<uint64_t>(piece.type));
    model.bytes(kPieces, one.text());
  }
  MessageWriter trainer;
  trainer.number(kModelType, file.is_bpe ? kBpeModel : kUnigramModel);
  trainer.number(kVocabularySize, file.pieces.size());
  trainer.number(kByteFallback, uint64_t{file.has_byte_fallback});
  model.bytes(kTrainerSpec, trainer.text());
  MessageWriter normalizer;
  normalizer.bytes(kNormalizerName, "identity");
  normalizer.number(kAddDummyPrefix, uint64_t{file.add_dummy_prefix});
  normalizer.number(kRemoveExtraWhitespaces, uint64_t{file.remove_extra_whitespaces});
  normalizer.number(kEscapeWhitespaces, uint64_t{file.escape_whitespaces});
  model.bytes(kNormalizerSpec, normalizer.text());
  return model.text();
}

std::string without_dummy_prefix(std::string_view bytes) {
  // A message that stands twice is merged, and the later value of a field counts: normalizer_spec {add_dummy_prefix:
  // false}.
  constexpr char kMore[] = {(kNormalizerSpec << 3) | kBytes, 2, (kAddDummyPrefix << 3) | kVarint, 0};
  return std::string(bytes).append(kMore, sizeof kMore);
}

}  // namespace anneal::datasets
