// SPDX-License-Identifier: MIT
// What each key of the tool decides, and where that stands in its sources.

export const keys = {
  model: ["model", "mlx_lm/lora.py:226"],
  train: ["method", "mlx_lm/lora.py:46"],
  fine_tune_type: ["method", "mlx_lm/lora.py:47"],
  num_layers: ["adapter_layers", "mlx_lm/lora.py:58"],
  batch_size: ["micro_batch", "mlx_lm/lora.py:272"],
  grad_accumulation_steps: ["gradient_accumulation", "mlx_lm/lora.py:281"],
  max_seq_length: ["max_length", "mlx_lm/lora.py:279"],
  grad_checkpoint: ["gradient_checkpointing", "mlx_lm/lora.py:280"],
  optimizer: ["optimizer", "mlx_lm/lora.py:308"],
  optimizer_config: ["optimizer", "mlx_lm/lora.py:288"],
  lora_parameters: ["adapter_rank", "mlx_lm/lora.py:76"],
  "lora_parameters.rank": ["adapter_rank", "mlx_lm/lora.py:316"],
  "lora_parameters.scale": ["adapter_alpha", "mlx_lm/lora.py:76"],
  "lora_parameters.dropout": ["adapter_dropout", "mlx_lm/lora.py:76"],
  "lora_parameters.keys": ["adapter_targets", "mlx_lm/tuner/utils.py:87"],
  mask_prompt: ["none", "mlx_lm/lora.py:77"],
  val_batches: ["eval", "mlx_lm/lora.py:274"],
  steps_per_eval: ["eval", "mlx_lm/lora.py:276"],
  clear_cache_threshold: ["allocator_cache", "mlx_lm/lora.py:74"],
  lr_schedule: ["none", "mlx_lm/lora.py:75"],
  resume_adapter_file: ["none", "mlx_lm/lora.py:65"],
  lora_layers: ["none", "mlx_lm/lora.py"],
};
