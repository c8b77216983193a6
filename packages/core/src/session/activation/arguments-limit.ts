import { quoteName } from '@repertoire/skill-md/internal'
import { type Refused, refused } from '../refusal.ts'

/** Characters that can be passed to a skill: a session's state carries them. */
const MAX_ARGS_CHARS = 100_000

/** Refuses arguments that are too long. */
export function tooManyArguments(name: string, args: string): Refused | undefined {
  if (args.length <= MAX_ARGS_CHARS) return undefined
  return refused({
    code: 'INPUT_INVALID',
    reason: `The skill ${quoteName(name)} was not activated: its arguments are ${args.length} characters long. Give at most ${MAX_ARGS_CHARS}.`,
  })
}
