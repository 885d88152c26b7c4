#pragma once
// The end of a model: the last norm, the product with the vocabulary, and the loss, fused so that full logits never
// exist; and, for those who ask, the logits of a few rows.

#include "engine/blocks/block.h"
#include "engine/blocks/norm.h"
#include "engine/blocks/token_table.h"

namespace anneal::engine {

struct HeadOptions {
  std::string norm;  // module name
  int64_t hidden_size = 0;
  double norm_epsilon = 1e-5;
};

class OutputHead : public Block {
 public:
  static constexpr int64_t kChunkRows = 256;  // of logits at a time; at 128 reading the table takes a tenth longer

  OutputHead(const Projection::Context& context, const HeadOptions& options, TokenTable& table);

  // Makes the normed hidden states of the whole pass.
  void forward(Residual& stream, Pass& pass) override;
  // After forward. Loss of each row, without gradients.
  void losses(const Tensor& row_loss, Pass& pass);
  // After forward. Loss of each row and the gradient of the stream; the batch's row_weight is d loss / d row_loss.
  void losses_and_gradient(const Tensor& row_loss, Gradient& gradient, Pass& pass);
  // After forward: logits (rows, vocabulary) of rows [begin, begin + rows of `logits`).
  void logits(const Tensor& logits, int64_t begin, Pass& pass);

  void backward(Gradient& gradient, Pass& pass) override;
  void refill(int slot, Part& part) override;
  void parameters(ParameterList& list) override { norm_.parameters(list); }
  bool is_trained() const { return norm_.is_trained() || table_.is_trained(); }

 private:
  enum Slots : int { kSum, kInvRms, kHidden };
  TokenTable& table_;
  Norm norm_;
  Tensor logits_, gathered_, dgathered_;  // one chunk
};

}  // namespace anneal::engine
