import type { HoldStep, ScriptStep } from '../src/endpoint/script.ts'

/** A step that waits for a promise before it goes on. */
export function held(hold: Promise<void>, step: ScriptStep): HoldStep {
  return { hold, next: step }
}
