import type { HarmlessProgram, Use } from './program.ts'
import { findProgram, programName, programNames } from '../../shell/programs/programs.ts'
import { BREW_PROGRAM, CARGO_PROGRAM } from './programs/builders.ts'
import { DOCKER, KUBECTL } from './programs/containers.ts'
import { FILES } from './programs/files.ts'
import { GH } from './programs/gh.ts'
import { GIT } from './programs/git.ts'
import { CURL, WGET } from './programs/network.ts'
import { NPM, PNPM_PROGRAM, YARN } from './programs/node.ts'
import { OPENSSL } from './programs/openssl.ts'
import { PIP_PROGRAM, UV } from './programs/python.ts'
import { TEXT } from './programs/text.ts'

/** The programs of which the harmless options are known. */
export const HARMLESS_PROGRAMS: readonly HarmlessProgram[] = [
  GIT,
  GH,
  NPM,
  PNPM_PROGRAM,
  YARN,
  CURL,
  WGET,
  ...FILES,
  ...TEXT,
  DOCKER,
  KUBECTL,
  PIP_PROGRAM,
  UV,
  CARGO_PROGRAM,
  BREW_PROGRAM,
  OPENSSL,
]

const BY_NAME = new Map(HARMLESS_PROGRAMS.flatMap((program) => program.names.split(' ').map((name) => [name, program])))

/** The program that a word means, by any name that some system has for it: `gtar` and `pip3.12` too. */
export function findHarmless(word: string): HarmlessProgram | undefined {
  const exact = BY_NAME.get(programName(word))
  if (exact !== undefined || findProgram(word)?.names.includes(programName(word)) === true) return exact
  return programNames(word)
    .map((name) => BY_NAME.get(name))
    .find((program) => program !== undefined)
}

const usesByProgram = new WeakMap<HarmlessProgram, ReadonlyMap<string, Use | false>>()

/** The uses of a program, each under its own name. Reads those of each program once. */
export function usesOf(program: HarmlessProgram): ReadonlyMap<string, Use | false> {
  const known = usesByProgram.get(program)
  if (known !== undefined) return known
  const uses = new Map(
    Object.entries(program.uses).flatMap(([names, use]) =>
      names.split(',').map((name) => [name, typeof use === 'string' ? { options: use } : use] as const),
    ),
  )
  usesByProgram.set(program, uses)
  return uses
}
