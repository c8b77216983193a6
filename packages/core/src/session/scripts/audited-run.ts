import type { AuditedRun } from '../../audit/events.ts'
import type { ScriptSettings } from '../../execution/settings.ts'
import type { ScriptResult } from '../../ports/script-runner.ts'

/** What runs a script, as events say it before it runs. */
export function auditedRun({ runner, network }: ScriptSettings, interpreter: string): AuditedRun {
  const { name: isolation, isolated } = runner.isolation
  return { interpreter, runner: runner.name, isolation, isolated, network }
}

/** The same with how the script ended. */
export function endedRun(run: AuditedRun, { end, exitCode, signalName, dropped }: ScriptResult): AuditedRun {
  const droppedBytes = dropped.stdout + dropped.stderr
  return {
    ...run,
    end,
    ...(exitCode !== undefined && { exitCode }),
    ...(signalName !== undefined && { signal: signalName }),
    ...(droppedBytes > 0 && { droppedBytes }),
  }
}
