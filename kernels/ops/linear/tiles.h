#pragma once
// How a product is cut for a team. The bits do not depend on it: an element's are those of its row and its column.

#include <algorithm>
#include <cstdint>

namespace anneal::cpu {

struct TileSize {
  int64_t rows, columns;
};

// Tiles of a (rows, columns) result: as large as `largest`, smaller where a team of `threads` would be without work,
// but not below `smallest`, where the product loses a third of its speed. Near squares are cheapest: what a tile packs
// of its two sides is used most often.
inline TileSize tile_size(int64_t rows, int64_t columns, TileSize largest, TileSize smallest, int threads) {
  const int64_t wanted = 4 * threads;  // so that one who is late does not keep the others waiting
  TileSize tile{std::min(rows, largest.rows), std::min(columns, largest.columns)};
  const auto tiles = [&] {
    return ((rows + tile.rows - 1) / tile.rows) * ((columns + tile.columns - 1) / tile.columns);
  };
  const auto half = [](int64_t size, int64_t least) { return std::max(least, (size / 2 + 15) / 16 * 16); };
  while (tiles() < wanted && (tile.columns > smallest.columns || tile.rows > smallest.rows)) {
    const bool cuts_columns =
        tile.rows <= smallest.rows || (tile.columns > smallest.columns && tile.columns >= tile.rows);
    if (cuts_columns) {
      tile.columns = half(tile.columns, smallest.columns);
    } else {
      tile.rows = half(tile.rows, smallest.rows);
    }
  }
  return tile;
}

// A tile's place in the result.
struct Range {
  int64_t begin, end;
  int64_t size() const { return end - begin; }
};

}  // namespace anneal::cpu
