loop = AutonomousLoop(project_dir)
result = await loop.run()
print(f"Completed: {result.features_completed}")
print(f"Sessions: {result.sessions_used}")

config = LoopConfig(
max_sessions=10,
token_budget=500000,
auto_checkpoint=True
)
result = await loop.run(config)

@dataclass
class LoopResult:
success: bool
features_completed: int
features_total: int
sessions_used: int
total_tokens: int
errors_recovered: int
duration_minutes: float
handoff_reason: Optional[str]
