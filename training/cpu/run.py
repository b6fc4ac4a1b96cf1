"""What verl must be told to run on a machine without a GPU: environment variables and configuration overrides."""

from __future__ import annotations

ENVIRONMENT = {
    "VERL_PLATFORM": "cpu",
    "VERL_USE_EXTERNAL_MODULES": "toolgym.training.plugin",
    "GLOO_SOCKET_IFNAME": "lo",
    "HF_HUB_OFFLINE": "1",
    "OMP_NUM_THREADS": "1",
    "RAY_USAGE_STATS_ENABLED": "0",
    "TOKENIZERS_PARALLELISM": "false",
    "RAY_prestart_worker_first_driver": "0",
}
"""For every process. Ray would start as many idle workers as it is told of CPUs, which here are more than there are."""

_FULL = "{param_dtype:fp32,reduce_dtype:fp32,buffer_dtype:fp32}"
"""CPUs are slower in bfloat16, and training then differs from sampling, which is done in full precision."""


def overrides(ranks: int = 1, *, critic: bool = False) -> list[str]:
    """Hydra overrides of verl's `ppo_trainer` configuration for CPUs.

    Args:
        ranks: training processes, which talk over gloo; each also counts as one logical GPU of Ray.
        critic: whether there is a value model (GAE).
    """
    role = "actor_rollout_ref"
    found = [
        f"+{role}.model.override_config.attn_implementation=sdpa",
        f"{role}.model.use_remove_padding=False",
        f"{role}.model.enable_gradient_checkpointing=False",
        f"{role}.actor.strategy=fsdp2",
        f"{role}.actor.use_torch_compile=False",
        f"{role}.actor.fsdp_config.use_torch_compile=False",
        f"+{role}.actor.fsdp_config.mixed_precision={_FULL}",
        f"+{role}.ref.fsdp_config.mixed_precision={_FULL}",
        f"{role}.rollout.name=toolgym_transformers",
        f"{role}.rollout.tensor_model_parallel_size=1",
        f"{role}.rollout.calculate_log_probs=True",
        f"{role}.rollout.agent.num_workers=1",
        "reward.num_workers=1",
        "data.dataloader_num_workers=0",
        "trainer.device=cpu",
        "trainer.nnodes=1",
        f"trainer.n_gpus_per_node={ranks}",
        "transfer_queue.backend.SimpleStorage.num_data_storage_units=1",
        "ray_kwargs.ray_init.num_cpus=16",
        f"+ray_kwargs.ray_init.num_gpus={ranks}",
        "+ray_kwargs.ray_init.include_dashboard=False",
    ]
    if critic:
        found += [
            "critic.strategy=fsdp2",
            "+critic.model.override_config.attn_implementation=sdpa",
            "critic.model.use_remove_padding=False",
            "critic.model.enable_gradient_checkpointing=False",
            "critic.fsdp.use_torch_compile=False",
            f"+critic.fsdp.mixed_precision={_FULL}",
        ]
    return found
