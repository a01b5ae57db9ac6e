# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Sourced by site/serve and tests/run: finds or installs the tools, and builds. Run from the repository's root.
# Where nothing else is said: output goes to standard error, and a failure ends the caller.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1

say() { printf '%s\n' "$*" >&2; }
fail() { say "error: $*"; exit 1; }

# shellcheck disable=SC2016
# name | how it is found | apt packages | Homebrew formula (or what to do)
tool_table='
compiler|any c++ g++ clang++|g++|(xcode-select --install)
cmake|any cmake|cmake|cmake
ninja|any ninja|ninja-build|ninja
nlohmann_json|header nlohmann/json.hpp|nlohmann-json3-dev|nlohmann-json
benchmark|header benchmark/benchmark.h|libbenchmark-dev|google-benchmark
catch2|header catch2/catch.hpp catch2/catch_all.hpp|catch2|catch2
emscripten|any emcc em++|emscripten|emscripten
node|node 18.18|nodejs|node
npm|any npm|npm|node
git|any git|git|git
xz|any xz|xz-utils|xz
clang-format|any clang-format|clang-format|clang-format
clang-tidy|any clang-tidy|clang-tidy|llvm (and add $(brew --prefix llvm)/bin to PATH)
libfuzzer|libfuzzer|clang libclang-rt-14-dev|llvm (and add $(brew --prefix llvm)/bin to PATH)
chromium|any chromium chromium-browser google-chrome|chromium|--cask chromium
firefox|any firefox-esr firefox|firefox-esr|--cask firefox
webkit|webkit|webkit2gtk-driver libwebkit2gtk-4.1-0|(none: WebKitGTK runs on Linux only)
xvfb|any Xvfb|xvfb|(none: Linux only)
'

include_folders() {
  printf '%s\n' /usr/include /usr/local/include /opt/homebrew/include /home/linuxbrew/.linuxbrew/include
  if command -v brew >/dev/null 2>&1; then printf '%s\n' "$(brew --prefix)/include"; fi
}

have_header() {
  local folder header
  while read -r folder; do
    for header in "$@"; do
      if [ -e "$folder/$header" ]; then return 0; fi
    done
  done < <(include_folders)
  return 1
}

have_node() {
  command -v node >/dev/null 2>&1 &&
    node -e 'const [a, b] = process.versions.node.split(".").map(Number), [c, d] = process.argv[1].split(".").map(Number);
             process.exit(a > c || (a === c && b >= d) ? 0 : 1)' "$1"
}

have_webkit() {
  local browser
  command -v WebKitWebDriver >/dev/null 2>&1 || return 1
  for browser in /usr/lib/*/webkit2gtk-4.*/MiniBrowser /usr/libexec/webkit2gtk-4.*/MiniBrowser; do
    if [ -x "$browser" ]; then return 0; fi
  done
  return 1
}

have_libfuzzer() {
  command -v clang++ >/dev/null 2>&1 &&
    echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
    clang++ -fsanitize=fuzzer -x c++ - -o /dev/null >/dev/null 2>&1
}

# Whether the tool with this way of being found is there.
have() {
  local kind=$1 name
  shift
  case $kind in
    any) for name in "$@"; do command -v "$name" >/dev/null 2>&1 && return 0; done; return 1 ;;
    header) have_header "$@" ;;
    node) have_node "$@" ;;
    webkit) have_webkit ;;
    libfuzzer) have_libfuzzer ;;
  esac
}

tool_row() { printf '%s' "$tool_table" | grep "^$1|"; }

# Those of the named tools that are missing.
missing_of() {
  local name found
  for name in "$@"; do
    found=$(tool_row "$name" | cut -d'|' -f2)
    # shellcheck disable=SC2086
    have $found || printf '%s\n' "$name"
  done
}

is_debian() { command -v apt-get >/dev/null 2>&1 && grep -Eqs '^(ID|ID_LIKE)=.*(debian|ubuntu)' /etc/os-release; }

install_by_apt() {
  local packages as_root=()
  packages=$(for name in "$@"; do tool_row "$name" | cut -d'|' -f3; done)
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || return 1
    as_root=(sudo)
  fi
  say "Installing ${packages//$'\n'/ }"
  mkdir -p build
  "${as_root[@]}" apt-get update -qq >build/apt.log 2>&1 || say "apt-get update failed; going on with the lists that are here"
  # shellcheck disable=SC2086
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages >>build/apt.log 2>&1 ||
    { tail -n 30 build/apt.log >&2; return 1; }
}

# Installs (Debian, Ubuntu) or names (elsewhere) what is missing of the named tools.
require() {
  local missing name row
  missing=$(missing_of "$@")
  [ -z "$missing" ] && return 0
  # shellcheck disable=SC2086
  if is_debian && install_by_apt $missing; then missing=$(missing_of $missing); fi
  [ -z "$missing" ] && return 0
  for name in $missing; do
    row=$(tool_row "$name")
    say "missing: $name   apt install $(cut -d'|' -f3 <<<"$row")   brew install $(cut -d'|' -f4 <<<"$row")"
  done
  fail "install what is missing and try again"
}

# How many compilers at once.
jobs() { getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }

# Runs a command; its output goes to a log and is shown only where it fails.
quietly() {
  local log=$root/build/$1.log
  shift
  mkdir -p build
  if ! "$@" >>"$log" 2>&1; then
    tail -n 60 "$log" >&2
    fail "$1 failed; all of its output is in ${log#"$root"/}"
  fi
}

# configure PRESET [CMAKE-OPTION...]
configure() {
  say "Building $1"
  rm -f "build/$1.log"
  quietly "$1" cmake --preset "$@"
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  quietly "$preset" cmake --build --preset "$preset" -j "$(jobs)" ${1:+--target "$@"}
}

configure_native() { configure native -DMEMORY_BUDGET_BUILD_TESTS=ON; }

# All of the native build, or the targets that are named.
build_native() { configure_native; build native "$@"; }

build_sanitized() { configure native-sanitize -DMEMORY_BUDGET_BUILD_TESTS=ON; build native-sanitize; }

# The toolchain file of whichever Emscripten is on the path.
emscripten_toolchain() {
  local file=cmake/Modules/Platform/Emscripten.cmake folder
  for folder in "$(em-config EMSCRIPTEN_ROOT 2>/dev/null)" "${EMSDK:-/nowhere}/upstream/emscripten" /usr/share/emscripten \
    "$(brew --prefix emscripten 2>/dev/null)/libexec" "$(dirname "$(command -v emcc)")"; do
    if [ -f "$folder/$file" ]; then printf '%s' "$folder/$file"; return; fi
  done
  fail "emcc is there, its $file is not"
}

build_wasm() {
  local toolchain
  toolchain=$(emscripten_toolchain) || exit 1
  # Debian's Emscripten looks for its JavaScript packages where Debian's Node does; another Node has to be told.
  export NODE_PATH=/usr/share/nodejs
  configure wasm "-DCMAKE_TOOLCHAIN_FILE=$toolchain"
  build wasm
}

# Packages of one folder by its lock file, once for each lock file and Node.
npm_ci() {
  local folder=$1 key stamp
  stamp=build/npm-$folder.stamp
  key=$(node --version; cat "$folder/package.json" "$folder/package-lock.json")
  if [ -d "$folder/node_modules" ] && [ -f "$stamp" ] && [ "$key" = "$(cat "$stamp")" ]; then return; fi
  mkdir -p build
  say "Installing the packages of $folder/"
  npm ci --prefix "$folder" --ignore-scripts --no-fund --no-audit --loglevel=error >&2 || fail "npm ci in $folder/ failed"
  printf '%s' "$key" >"$stamp"
}

build_site() {
  build_wasm
  npm_ci web
  say "Building the site"
  node site/build.mjs >build/site.log 2>&1 || { cat build/site.log >&2; fail "the build of the site failed"; }
}
