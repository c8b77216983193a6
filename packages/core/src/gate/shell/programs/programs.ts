import { ARCHIVES } from './archives.ts'
import { BUILDERS } from './builders.ts'
import { BUILTINS } from './builtins.ts'
import { CLOUD } from './cloud.ts'
import { DATABASES } from './databases.ts'
import { ENVIRONMENTS } from './environments.ts'
import { FILES } from './files.ts'
import { GH } from './gh.ts'
import { GIT } from './git.ts'
import { INTERACTIVE } from './interactive.ts'
import { LANGUAGES } from './languages.ts'
import { NETWORK } from './network.ts'
import { PRIVILEGES } from './privileges.ts'
import type { Program } from './program.ts'
import { READERS } from './readers.ts'
import { SHELLS } from './shells.ts'
import { SYSTEM } from './system.ts'
import { TEXT } from './text.ts'
import { VERSION_CONTROL } from './version-control.ts'
import { WRAPPERS } from './wrappers.ts'

/** All that is known of programs. */
export const PROGRAMS: readonly Program[] = [
  ...SHELLS,
  ...BUILTINS,
  ...PRIVILEGES,
  ...ENVIRONMENTS,
  ...WRAPPERS,
  ...LANGUAGES,
  ...BUILDERS,
  GIT,
  GH,
  ...VERSION_CONTROL,
  ...FILES,
  ...READERS,
  ...TEXT,
  ...ARCHIVES,
  ...INTERACTIVE,
  ...SYSTEM,
  ...CLOUD,
  ...NETWORK,
  ...DATABASES,
]

const BY_NAME = new Map<string, Program>()
for (const program of PROGRAMS) for (const name of program.names) BY_NAME.set(name, program)

/**
 * The name of the program that a word means: without its folder, its version (`rimraf@5`) and the ending that Windows
 * adds, in lower case, since some file systems take `RM` for `rm`. Where that is not so, another program is
 * taken for one of the table. Then more is refused and hardly anything else permitted: without a record, a program is
 * covered whole by a prefix rule and mutates nothing, except behind `find -exec`, where some are known only to read.
 */
export function programName(word: string): string {
  return word
    .slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1)
    .toLowerCase()
    .replace(/(?<=.)@[^@]*$/, '')
    .replace(/\.(?:exe|cmd|bat|com)$/, '')
}

/** What is known of the program that a word means. */
export function findProgram(word: string): Program | undefined {
  return BY_NAME.get(programName(word))
}

/** Whether a word means a program that takes a command line as one of its words. */
export function runsShell(word: string | undefined): boolean {
  return word !== undefined && findProgram(word)?.runsShell === true
}

/** Whether a word means a program that has some of its words read as a command once more. */
export function readsCommands(word: string): boolean {
  const program = findProgram(word)
  return program?.runsShell === true || program?.readsCommands === true
}
