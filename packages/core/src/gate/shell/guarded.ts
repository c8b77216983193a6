import type { Guard } from './guard.ts'
import { BUILDERS } from './guarded/builders.ts'
import { FILES } from './guarded/files.ts'
import { SERVICES } from './guarded/services.ts'

/**
 * Programs that look harmless, and the options and subcommands of theirs that run another program, load code, or write a
 * file of the caller's choice where the program is not for writing. What a program is for it may do: `curl` and `wget`
 * save what they fetch, `tar` unpacks, a compiler writes what it has built, and `npm`, `go` and their like run what the
 * project says.
 *
 * `valued` names only letters that take a value wherever the program has them: behind any other letter the rest of a
 * word may be options still.
 */
export const GUARDED: ReadonlyMap<string, Guard> = new Map([...FILES, ...SERVICES, ...BUILDERS])
