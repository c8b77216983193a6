import { ARCHIVES } from './archives.ts'
import { BUILDERS } from './builders.ts'
import { DATABASES } from './databases.ts'
import { ENVIRONMENTS } from './environments.ts'
import { FILES } from './files.ts'
import { GIT } from './git.ts'
import { LANGUAGES } from './languages.ts'
import { NETWORK } from './network.ts'
import { PACKAGE_MANAGERS } from './package-managers.ts'
import type { Program } from './program.ts'
import { BUILTINS, SHELLS } from './shells.ts'
import { SYSTEM } from './system.ts'
import { TEXT } from './text.ts'
import { VERSION_CONTROL } from './version-control.ts'
import { WRAPPERS } from './wrappers.ts'

/** All that is known of programs. */
export const PROGRAMS: readonly Program[] = [
  ...SHELLS,
  ...BUILTINS,
  ...ENVIRONMENTS,
  ...WRAPPERS,
  ...LANGUAGES,
  ...PACKAGE_MANAGERS,
  ...BUILDERS,
  GIT,
  ...VERSION_CONTROL,
  ...FILES,
  ...TEXT,
  ...ARCHIVES,
  ...SYSTEM,
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
    .replace(/\.(?:exe|cmd|bat|com|ps1)$/, '')
}

/** Names under which some systems have a program that others call otherwise. */
const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    batcat: 'bat',
    'c++': 'g++',
    cc: 'gcc',
    fdfind: 'fd',
    gawk: 'awk',
    mariadb: 'mysql',
    mawk: 'awk',
    nawk: 'awk',
    nodejs: 'node',
    pwsh: 'powershell',
    'youtube-dl': 'yt-dlp',
  }),
)

/** What is added to a name: a version, or the variant where several are installed. */
const VERSION = /[-.]?\d+(?:\.\d+)*$/
const VARIANT = /\.(?:tiny|basic|nox|openbsd|traditional|distrib|real)$/

/** The machine that a compiler builds for, and what GNU's or BSD's programs begin with on other systems. */
const PREFIX = /^(?:(?:x86_64|i\d86|aarch64|arm\w*|riscv\w*|powerpc\w*|mips\w*|s390x)-(?:\w+-)+|bsd|g(?=..))/

/**
 * The names that a program may go by, the one that a word says first: `gtar` is tar, `python3.12` python,
 * `x86_64-linux-gnu-gcc-12` gcc. One name too many may be among them.
 */
export function programNames(word: string): readonly string[] {
  const name = programName(word)
  const names = new Set([name])
  // A set that grows while it is read.
  for (const each of names) {
    for (const strip of [VARIANT, VERSION, PREFIX]) {
      const stripped = each.replace(strip, '')
      if (stripped !== '') names.add(stripped)
    }
    const synonym = SYNONYMS.get(each)
    if (synonym !== undefined) names.add(synonym)
  }
  return [...names]
}

/** What is known of the program that a word means. */
export function findProgram(word: string): Program | undefined {
  const exact = BY_NAME.get(programName(word))
  if (exact !== undefined) return exact
  const known = programNames(word).find((name) => BY_NAME.has(name))
  return known === undefined ? undefined : BY_NAME.get(known)
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
