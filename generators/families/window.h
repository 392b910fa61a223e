// Windows that slide over an input with stride, dilation and padding, and loads through them.
#pragma once

#include <optional>
#include <vector>

#include "generators/context.h"
#include "generators/term.h"
#include "ir/irate.pb.h"

namespace irate {

struct WindowAxis {
  Extent output;
  Extent input;
  int64_t size = 1;  // of the window
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t pad = 0;
};

enum class Padding { kNone, kLazy, kClamped, kCopied };

struct Stencil {
  std::vector<WindowAxis> axes;
  Padding padding = Padding::kNone;
  // [channel,] position...; padded already where padding is kCopied.
  BufferInfo input;
  std::optional<BufferInfo> weights;  // [output channel, channel,] window...
  bool channels = false;

  // The input's extent along window axis `d`.
  const Extent& InputExtent(size_t d) const { return input.shape[d + (channels ? 1 : 0)]; }
};

// How loads outside the input can be avoided here.
Padding DrawPadding(Context& context);
WindowAxis DrawWindowAxis(Context& context, bool padded, int64_t budget);

// The input at `positions`, of one channel where there are channels, or a padding value.
Term LoadPadded(Context& context, const Stencil& stencil, const std::vector<Expr>& channel,
                std::vector<Expr> positions);

// The element of the input under `window` for `output`, times its weight if there are weights.
// Both lists start with their channel where there are channels.
Term WindowTerm(Context& context, const Stencil& stencil, ScalarType type,
                const std::vector<Expr>& output, const std::vector<Expr>& window, Limit limit);

}  // namespace irate
