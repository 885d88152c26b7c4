#pragma once
// A product of one input with one or several outputs (q, k and v; gate and up): one weight, of which the file's tensors
// are slices of rows. It may be frozen, trained, or frozen with low-rank adapters; the block does not know which.
//
//   y = x Wᵀ [+ bias],  and for each adapted output i:  y_i += s_i (drop(x) A_iᵀ) B_iᵀ
// The adapters' A of one projection are rows of one matrix, so that one product gives all of them. Hu et al.: "LoRA"
// (2021); s = alpha / rank, or alpha / sqrt(rank) with rsLoRA (Kalajdzievski, 2023). Dropout draws one mask for the
// projection's input.

#include <optional>
#include <string>
#include <vector>

#include "engine/blocks/parameter.h"
#include "engine/blocks/pass.h"

namespace anneal::engine {

enum class Accumulate : bool { kNo = false, kYes = true };

struct AdapterOptions {
  int64_t rank = 0;  // 0: no adapters
  double alpha = 0;
  double dropout = 0;
  bool use_rslora = false;
  std::vector<std::string> targets;  // last parts of module names: "q_proj"; empty: every linear but the output head
  bool targets_module(const std::string& module) const;
  double scale() const;
};

// What of a model is trained.
struct TrainingPlan {
  bool is_training = false;     // false: evaluating or generating
  bool trains_weights = false;  // full fine-tuning
  AdapterOptions lora;
};

struct ProjectionOutput {
  std::string module;  // "model.layers.0.self_attn.q_proj"
  int64_t columns = 0;
  bool has_bias = false;
};

class Projection {
 public:
  struct Context {
    Storage& storage;
    const Backend& backend;
    const ComputeTypes& precision;
    const TrainingPlan& training;
    uint64_t block = 0;  // keys dropout
  };
  Projection(const Context& context, uint64_t number, int64_t inputs, std::vector<ProjectionOutput> outputs);

  int64_t inputs() const { return weight_.inputs; }
  int64_t outputs() const { return weight_.outputs; }
  bool trains_weight() const { return weight_gradient_.exists(); }
  bool has_adapters() const { return !adapters_.empty(); }
  bool is_trained() const { return trains_weight() || has_adapters(); }

  void forward(const Tensor& x, const Tensor& y, Part& part);
  // dx may be none: nothing below wants it.
  void backward(const Tensor& dy, const Tensor& x, const Tensor& dx, Accumulate accumulate, Part& part);
  // A trained weight's gradient, over all rows after the region.
  void weight_gradient(const Tensor& dy, const Tensor& x, Pass& pass);
  // Sums the adapters' gradients of the parts, in order.
  void finish(Pass& pass);

  void parameters(ParameterList& list);
  // After the weights have been read or changed by the optimizer: packs them as the products want them.
  void prepare(Backend& backend);

 private:
  struct Adapter {
    std::size_t output = 0;    // of the projection
    int64_t first_column = 0;  // of y
    int64_t columns = 0;
    int64_t first_row = 0;  // of A
    int64_t rank = 0;
    Tensor b, b_gradient, b_first, b_second;  // (columns, rank)
    Tensor b_partial;                         // (parts, columns · rank)
  };
  void add_weight(const Context& context);
  void add_adapters(const Context& context);
  Tensor dropped(const Tensor& x, Part& part);  // drop(x) in scratch, or x itself
  LinearWeight a_weight() const {
    return {.plain = a_, .forward = {}, .backward = {}, .outputs = a_.rows(), .inputs = inputs()};
  }

  uint64_t block_;
  uint64_t number_;
  std::vector<ProjectionOutput> outputs_;
  LinearWeight weight_;
  Tensor bias_;
  Tensor master_, weight_gradient_, weight_first_, weight_second_;  // full fine-tuning
  Tensor bias_gradient_, bias_first_, bias_second_;
  bool has_separate_copy_ = false;

  AdapterOptions lora_;
  std::vector<Adapter> adapters_;
  Tensor a_, a_gradient_, a_first_, a_second_;  // (total rank, inputs)
  Tensor a_partial_;                            // (parts, total rank · inputs)
  Slot u_;                                      // drop(x) Aᵀ, kept from forward to backward
  Slot du_;
  Slot dropped_;
  Slot dx_dropped_;
};

}  // namespace anneal::engine
