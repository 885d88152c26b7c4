#pragma once
// One layer of a decoder: s += attention(norm(s)); s += feed_forward(norm(s)), with gated feed-forward and grouped
// heads (Llama, Mistral, Qwen2, SmolLM2).
//
//   region 1   input sum, norm, q/k/v, rope                         by rows
//              attention                                            over documents
//   region 2   o, mid sum, norm, gate/up, gated activation, down    by rows

#include <string>

#include "engine/blocks/block.h"
#include "engine/blocks/norm.h"
#include "engine/blocks/projection.h"

namespace anneal::engine {

struct DecoderOptions {
  int64_t layer = 0;
  int64_t hidden_size = 0;
  int64_t intermediate_size = 0;
  AttentionShape attention;
  double norm_epsilon = 1e-5;
  Activation activation = Activation::kSilu;
  bool qkv_bias = false;
  bool o_bias = false;
  bool mlp_bias = false;
  Tensor cosine, sine;  // rope tables, (positions, rotary / 2); the model's
  // Module names in the model's files.
  std::string q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj, input_norm, post_attention_norm;
};

class DecoderBlock : public Block {
 public:
  DecoderBlock(const Projection::Context& context, DecoderOptions options);

  void forward(Residual& stream, Pass& pass) override;
  void backward(Gradient& gradient, Pass& pass) override;
  void refill(int slot, Part& part) override;
  void parameters(ParameterList& list) override;

  bool is_trained() const;
  void prepare(Backend& backend);

 private:
  enum Slots : int {
    kInputSum,
    kInputInvRms,
    kInputNorm,
    kQkv,
    kAttention,
    kLse,
    kMidSum,
    kMidInvRms,
    kMidNorm,
    kGateUp,
    kActivated,
    kBranch,
    kPending,  // forward only
    kDy,
    kDMid,
    kDActivated,
    kDGateUp,
    kDNorm,
    kDAttention,
    kDQkv,  // backward only
  };
  void add_slots(const Projection::Context& context);
  int64_t query_columns() const { return options_.attention.heads * options_.attention.head_size; }
  int64_t kv_columns() const { return options_.attention.kv_heads * options_.attention.head_size; }

  void fill_input(const Tensor& x, const Tensor& pending, Part& part);
  void fill_qkv(const Tensor& normed, Part& part);
  void fill_attention(Pass& pass);
  void attend_cached(Pass& pass);
  void fill_mid(const Tensor& input_sum, Part& part);
  void refill_whole(Pass& pass);
  void backward_feed_forward(const Tensor& gradient, Part& part);
  void backward_attention(Pass& pass);
  void backward_input(const Tensor& gradient, bool wanted, Part& part);
  // The residual gradient in the activation type, as a product reads it.
  Tensor as_activation(const Tensor& gradient, int slot, Part& part);

  DecoderOptions options_;
  ComputeTypes precision_;
  Norm input_norm_;
  Projection qkv_;
  Projection o_;
  Norm mid_norm_;
  Projection gate_up_;
  Projection down_;
};

}  // namespace anneal::engine
