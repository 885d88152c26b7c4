#!/usr/bin/env bash
# From a fresh machine to a fine-tuned model: installs what is missing, builds, trains, shows the answer to a question
# before and after, exports, and says where everything lies. May be run again: what is there is kept.
#   installers/start.sh                     SmolLM2-135M-Instruct (93 MB, Apache-2.0) learns the sample support chat by
#                                           LoRA; without a network a tiny model, made here from a seed, learns it
#   installers/start.sh --model M [--data D]…   your own model (a Hugging Face folder or GGUF file) and data, by LoRA
#   installers/start.sh --out DIR           where to put the results (default: anneal-start in your home folder)
set -euo pipefail
root="$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)"

usage() { sed -n '2,8s/^# \{0,1\}//p' "$0"; }
model="" out="" data=()
while [ $# -gt 0 ]; do
  case "$1" in
    --model) model="${2:?--model wants a folder or GGUF file}"; shift 2 ;;
    --data) data+=("${2:?--data wants a file or folder}"); shift 2 ;;
    --out) out="${2:?--out wants a folder}"; shift 2 ;;
    --help|-h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done
out="${out:-${HOME:-/tmp}/anneal-start}"
step() { printf '\n== %s\n' "$1"; }

step "Packages"
bash "$root/installers/install_packages.sh" build

step "Building"
build="$root/build/release"
if [ ! -f "$build/build.ninja" ]; then
  (cd "$root" && cmake --preset release -DANNEAL_BUILD_TESTS=OFF >/dev/null)
fi
cmake --build "$build" --target anneal
anneal="$build/bin/anneal"

mkdir -p "$out"
get_model() {
  step "SmolLM2-135M-Instruct"
  model="$(bash "$root/installers/get_start_model.sh" "$out/model" | tail -n 1)" && return
  echo "A tiny model is taken instead."
  return 1
}
settings=()
if [ -n "$model" ]; then
  settings=(--method lora --num-epochs 3)
elif [ ! -f "$out/tiny-model/config.json" ] && get_model; then
  settings=(--method lora --learning-rate 1e-3 --num-epochs 2 --max-sequence-length 512 --gradient-accumulation-steps 1)
else
  step "A tiny model from a seed"
  model="$out/tiny-model"
  if [ ! -f "$model/config.json" ]; then
    "$anneal" model new --out "$model" --seed 7 --hidden-size 128 --intermediate-size 344 --num-hidden-layers 4 \
      --num-attention-heads 4 --num-key-value-heads 2 --max-position-embeddings 2048
  fi
  # It knows nothing yet, so all of it is trained.
  settings=(--method full --learning-rate 4e-3 --num-epochs 20 --max-sequence-length 1024
    --gradient-accumulation-steps 1)
fi
eval=()
if [ ${#data[@]} -eq 0 ]; then
  data=("$root/datasets/samples/support_chat.jsonl")
  eval=(--eval "$root/datasets/samples/support_chat_eval.jsonl")
else
  eval=(--set eval_fraction=0.05)
fi

question="How many days do I have to send something back?"
messages="$out/question.json"
printf '[{"role":"user","content":"%s"}]\n' "$question" > "$messages"
ask() { "$anneal" generate "$@" --messages "$messages" --max-new-tokens 80; }

step "Before: \"$question\""
ask --model "$model"

run="$out/run"
step "Training"
if [ -f "$run/run.sqlite" ]; then
  "$anneal" resume "$run"
else
  "$anneal" train --model "$model" --data "${data[@]}" "${eval[@]}" --out "$run" "${settings[@]}"
fi

step "Loss"
"$anneal" runs metrics "$run" --csv | awk -F, '
  $2 == "loss" { step[++n] = $1; loss[n] = $3 }
  END {
    if (n == 0) exit
    width = n < 64 ? n : 64; height = 12
    for (c = 1; c <= width; ++c) {
      first = int((c - 1) * n / width) + 1; last = int(c * n / width); sum = 0
      for (i = first; i <= last; ++i) sum += loss[i]
      mean[c] = sum / (last - first + 1)
      if (c == 1 || mean[c] > top) top = mean[c]
      if (c == 1 || mean[c] < low) low = mean[c]
    }
    for (r = height; r >= 0; --r) {
      printf "%8.3f |", low + (top - low) * r / height
      for (c = 1; c <= width; ++c) {
        row = top > low ? int((mean[c] - low) / (top - low) * height + 0.5) : 0
        printf "%s", row == r ? "*" : " "
      }
      print ""
    }
    printf "         +"; for (c = 1; c <= width; ++c) printf "-"; printf "  steps %d to %d\n", step[1], step[n]
  }'

step "After: \"$question\""
ask --model "$run"

step "Export"
merged="$out/merged"
if [ ! -f "$merged/config.json" ]; then
  "$anneal" export --run "$run" --format merged --out "$merged"
fi

step "Done"
cat <<TEXT
  the program        $anneal
  the run            $run        (checkpoints, history; "anneal runs show $run")
  the merged model   $merged     (for transformers and other programs)
Talk to it:          $anneal chat --model $run
Train your own:      installers/start.sh --model FOLDER --data FILE
TEXT
