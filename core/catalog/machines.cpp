// SPDX-License-Identifier: MIT
#include "core/catalog/machines.h"

namespace memory_budget::catalog {
namespace {

// Readings taken from public reports, each with its own above it; "id" numbers are those of stored public files
// whose repository is not named.
constexpr Machine table[] = {
    // unslothai/notebooks (nb/, saved outputs); Comfy-Org/ComfyUI issue 4816
    {"rtx-3060-12gb", "GeForce RTX 3060 12GB", false, 12, 12037, Reading::framework},
    // zai-org/CogVideo issue 34; victordibia/peacasso issue 3
    {"rtx-3080-10gb", "GeForce RTX 3080 10GB", false, 10, 10015, Reading::framework},
    // stored public file, look-up id 54943028613 / 68746100837 (the look-up names no repository)
    {"rtx-3080-12gb", "GeForce RTX 3080 12GB", false, 12, 12288, Reading::reported},
    // stored public file, look-up id 33404547317 (the look-up names no repository)
    {"rtx-3090", "GeForce RTX 3090", false, 24, 24252, Reading::framework},
    // lllyasviel/Fooocus issue 1604 (PyTorch total on Windows, 16380 MB); stored public file, look-up id 69389945897 /
    // 62932015117 (the look-up names no rep
    {"rtx-4060-ti-16gb", "GeForce RTX 4060 Ti 16GB", false, 16, 16380, Reading::reported},
    // EvilBT/ComfyUI_SLK_joy_caption_two issue 55
    {"rtx-4070-ti-super", "GeForce RTX 4070 Ti SUPER", false, 16, 16376, Reading::reported},
    // utkuozdemir/nvidia_gpu_exporter, internal/captures/linux-x86_64__nvidia-geforce-rtx-4080-super__595.71.05.txt
    {"rtx-4080", "GeForce RTX 4080", false, 16, 15942, Reading::framework},
    // Comfy-Org/ComfyUI pull 7063; 1038lab/ComfyUI-QwenVL issue 121; unslothai/notebooks (nb/, saved outputs)
    {"rtx-4090", "GeForce RTX 4090", false, 24, 24092, Reading::framework},
    // stored public file, look-up id 58106667896 / 52089322931 / 59670061635 (the look-up names no repository)
    {"rtx-5060-ti-16gb", "GeForce RTX 5060 Ti 16GB", false, 16, 16311, Reading::reported},
    // Comfy-Org/ComfyUI issue 7126 (PyTorch on Windows 17094475776 bytes = 16302.6 MiB); OpenImagingLab/FlashVSR issue
    // 24; stored public file, look-up id 71
    {"rtx-5070-ti", "GeForce RTX 5070 Ti", false, 16, 16303, Reading::reported},
    // stored public file, look-up id 57659263367 / 63139428977 / 71186552088 / 59184831542 (the look-up names no
    // repository)
    {"rtx-5080", "GeForce RTX 5080", false, 16, 16303, Reading::reported},
    // Linux: stored public file, look-up id 54674697403 / 45839958736 (the look-up names no repository); Windows:
    // Comfy-Org/ComfyUI issue 11186
    {"rtx-5090", "GeForce RTX 5090", false, 32, 32094, Reading::framework},
    // unslothai/notebooks (nb/, saved outputs)
    {"t4", "Tesla T4", false, 16, 14913, Reading::framework},
    // siseci/hashcat-benchmark-comparison, 8x Tesla V100 p3.16xlarge Hashcat Benchmark and 8x.Tesla.V100.GCP.txt
    {"v100-16gb", "Tesla V100 16GB", false, 16, 16152, Reading::framework},
    // stored public file, look-up id 68680818775 / 58442594871 / 70663680882 (the look-up names no repository);
    // aws/karpenter-provider-aws, website/content/
    {"v100-32gb", "Tesla V100 32GB", false, 32, 32768, Reading::reported},
    // stored public file, look-up id 59425848835 / 56068198237 / 70226078393 (the look-up names no repository)
    {"a10", "NVIDIA A10", false, 24, 23028, Reading::reported},
    // unslothai/notebooks (nb/, saved outputs)
    {"a10g", "NVIDIA A10G", false, 24, 22716, Reading::framework},
    // unslothai/notebooks (nb/, saved outputs)
    {"l4", "NVIDIA L4", false, 24, 22693, Reading::framework},
    // stored public file, look-up id 43846728928 / 56733767964 / 61612706521 (the look-up names no repository)
    {"a30", "NVIDIA A30", false, 24, 24576, Reading::reported},
    // XiongjieDai/GPU-Benchmarks-on-LLM-Inference, LLaMA 3/Professional GPUs/A40_v3.ipynb
    {"a40", "NVIDIA A40", false, 48, 46068, Reading::reported},
    // XiongjieDai/GPU-Benchmarks-on-LLM-Inference, LLaMA 3/Professional GPUs/A6000_v3.ipynb
    {"rtx-a6000", "NVIDIA RTX A6000", false, 48, 49140, Reading::reported},
    // unslothai/unsloth-zoo pull 1053
    {"rtx-6000-ada", "NVIDIA RTX 6000 Ada", false, 48, 48509, Reading::framework},
    // NVIDIA/k8s-test-infra, tests/e2e/go/assertions/nvidiasmi/testdata/hardware/qx-l40s.xml
    {"l40s", "NVIDIA L40S", false, 48, 45459, Reading::framework},
    // vllm-project/vllm issue 27542 (ECC off) and issue 15081 (Max-Q); ECC on: stored public file, look-up id
    // 61423940264 / 51764501035 (the look-up names n
    {"rtx-pro-6000-blackwell", "NVIDIA RTX PRO 6000 Blackwell (Workstation, Max-Q and Server)", false, 96, 97887,
     Reading::reported},
    // unslothai/notebooks (nb/, saved outputs)
    {"a100-40gb", "NVIDIA A100 40GB", false, 40, 40442, Reading::framework},
    // unslothai/notebooks (nb/, saved outputs); stas00/ml-engineering, training/performance/README.md
    {"a100-80gb", "NVIDIA A100 80GB", false, 80, 81050, Reading::framework},
    // XiongjieDai/GPU-Benchmarks-on-LLM-Inference, LLaMA 3/Professional GPUs/H100_PCIe_v3.ipynb
    {"h100-pcie", "NVIDIA H100 PCIe", false, 80, 81559, Reading::reported},
    // stored public file, look-up id 65729426901 (the look-up names no repository)
    {"h100-sxm", "NVIDIA H100 SXM", false, 80, 81079, Reading::framework},
    // stored public file, look-up id 71246027304 / 58570512044 / 55419965514 (the look-up names no repository)
    {"h100-nvl", "NVIDIA H100 NVL", false, 94, 95830, Reading::reported},
    // stored public file, look-up id 63088167599 / 70251699437 (the look-up names no repository)
    {"gh200-96gb", "NVIDIA GH200 (96 GB HBM3)", false, 96, 97871, Reading::reported},
    // utkuozdemir/nvidia_gpu_exporter, internal/captures/linux-x86_64__nvidia-h200__590.48.01.txt
    {"h200", "NVIDIA H200", false, 141, 143157, Reading::framework},
    // ProjectPhysX/OpenCL-Benchmark, README.md
    {"b200", "NVIDIA B200", false, 180, 182631, Reading::framework},
    // ProjectPhysX/OpenCL-Benchmark, README.md
    {"b300", "NVIDIA B300", false, 288, 274113, Reading::framework},
    // unslothai/unsloth pulls 10283 and 10703; NVIDIA/dgx-spark-playbooks (drop_caches advice in most READMEs, e.g.
    // nvidia/llama-factory/README.md); kuberne
    {"dgx-spark-gb10", "NVIDIA DGX Spark (GB10)", true, 128, 124611, Reading::share},
    // stored public file, look-up id 62861137369 / 67195400574 / 69415230635 (the look-up names no repository)
    {"rx-7900-xtx", "Radeon RX 7900 XTX", false, 24, 24560, Reading::reported},
    // stored public file, look-up id 67257350120 (the look-up names no repository) (RADV NAVI31, 49136 MiB); stored
    // public file, look-up id 54616664624 (the
    {"radeon-pro-w7900", "Radeon PRO W7900", false, 48, 49136, Reading::reported},
    // ROCm/rocm-blogs, blogs/artificial-intelligence/mamba/README.md
    {"mi210", "Instinct MI210", false, 64, 65516, Reading::framework},
    // ROCm/gpuaidev, workshops/llama-3.2-vision-finetune-unsloth/tutorial_unsloth.ipynb; unslothai/notebooks (nb/,
    // saved outputs)
    {"mi300x", "Instinct MI300X", false, 192, 196289, Reading::framework},
    // vllm-project/vllm issue 41962, as quoted in stored public file, look-up id 57044329709 (the look-up names no
    // repository)
    {"mi325x", "Instinct MI325X", false, 256, 262124, Reading::reported},
    // torvalds/linux, drivers/gpu/drm/ttm/ttm_device.c (half); antirez/ds4 issue 475 (63968M GTT at default);
    // ROCm/legacy-rocm-build issue 5595 (62.2 GB; gt
    {"ryzen-ai-max-395-128gb", "Ryzen AI Max+ 395 with 128 GB (Radeon 8060S)", true, 128, 63969, Reading::share},
    // AlexsJones/llmfit pull 754 (M3, 11.84 of 16.00 GB); 12124 MiB in stored public file, look-up id 61771192037 /
    // 63043171344 (the look-up names no reposi
    {"apple-silicon-16gb", "Apple Silicon, 16 GB unified", true, 16, 12124, Reading::share},
    // stored public file, look-up id 55402432722 / 2311416387 (the look-up names no repository) (26800.60 MB; size
    // inferred from the share, M4)
    {"apple-silicon-32gb", "Apple Silicon, 32 GB unified", true, 32, 25559, Reading::share},
    // stored public file, look-up id 53776585289 / 26358361646 (the look-up names no repository) (M4 Pro 48GB,
    // 40200896512 bytes)
    {"apple-silicon-48gb", "Apple Silicon, 48 GB unified", true, 48, 38338, Reading::share},
    // hackur/qwen36-local-llamacpp-turboquant, benchmarks/RESULTS.md (M3 Max 64 GB, macOS 26.4.1, 55662.79 MB)
    {"apple-silicon-64gb", "Apple Silicon, 64 GB unified", true, 64, 53084, Reading::share},
    // antirez/ds4 pull 893 (M5 Max and another, 107.52 GiB stock, macOS 26.x); osaurus-ai/osaurus pull 1958 (about 84%)
    {"apple-silicon-128gb", "Apple Silicon, 128 GB unified", true, 128, 110100, Reading::share},
    // stored public file, look-up id 59104505737 / 59086029856 (the look-up names no repository) (M3 Ultra 256 GiB,
    // 228065 MiB)
    {"apple-silicon-256gb", "Apple Silicon, 256 GB unified", true, 256, 228065, Reading::share},
    // stored public file, look-up id 40195527572 / 66938754200 (the look-up names no repository) (M3 Ultra, 498216.21
    // MB = 475136 MiB)
    {"apple-silicon-512gb", "Apple Silicon, 512 GB unified", true, 512, 475136, Reading::share},
    // intel/ipex-llm, docs/mddocs/Quickstart/llama_cpp_quickstart.md
    {"arc-a770-16gb", "Intel Arc A770 16GB", false, 16, 15473, Reading::reported},
    // stored public file, look-up id 55697157531 (the look-up names no repository)
    {"arc-b580", "Intel Arc B580", false, 12, 11605, Reading::framework},
    // unslothai/notebooks (nb/, saved outputs)
    {"colab-t4", "Google Colab free tier, T4", false, 16, 14913, Reading::framework},
    // stored public file, look-up id 70433020816 / 28449564140 / 61253806834 (the look-up names no repository)
    {"rtx-4060-laptop-8gb", "GeForce RTX 4060 Laptop", false, 8, 8188, Reading::reported},
    // stored public file, look-up id 54541666259 / 62060042230 / 71550873489 (the look-up names no repository)
    {"rtx-4090-laptop-16gb", "GeForce RTX 4090 Laptop", false, 16, 16376, Reading::reported},
    // stored public file, look-up id 70228636262 / 70087897011 / 60174993113 (the look-up names no repository)
    {"rtx-5090-laptop-24gb", "GeForce RTX 5090 Laptop", false, 24, 24463, Reading::reported},
};

}  // namespace

std::span<const Machine> machines() {
    return table;
}

}  // namespace memory_budget::catalog
