#pragma once
// How a product is cut. Only its shape decides, never the number of threads, so that the bits are the same for all.

#include <algorithm>
#include <cstdint>

namespace anneal::cpu {

struct TileSize {
  int64_t rows, columns;
};

// Tiles of a (rows, columns) result: as large as `largest`, smaller where that would leave a team without work, but not
// below `smallest`, where the product loses a third of its speed.
inline TileSize tile_size(int64_t rows, int64_t columns, TileSize largest, TileSize smallest) {
  constexpr int64_t kWantedTiles = 16;
  TileSize tile{std::min(rows, largest.rows), std::min(columns, largest.columns)};
  const auto tiles = [&] {
    return ((rows + tile.rows - 1) / tile.rows) * ((columns + tile.columns - 1) / tile.columns);
  };
  while (tiles() < kWantedTiles && tile.columns > smallest.columns) {
    tile.columns = std::max(smallest.columns, (tile.columns / 2 + 15) / 16 * 16);
  }
  while (tiles() < kWantedTiles && tile.rows > smallest.rows) {
    tile.rows = std::max(smallest.rows, (tile.rows / 2 + 15) / 16 * 16);
  }
  return tile;
}

// A tile's place in the result.
struct Range {
  int64_t begin, end;
  int64_t size() const { return end - begin; }
};

}  // namespace anneal::cpu
