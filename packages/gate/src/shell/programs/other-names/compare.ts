import { matchText } from '../../../glob.ts'
import { programName, programNames } from '../programs.ts'
import { BUILD_TOOLS } from './build-tools.ts'
import { CLUSTERS } from './clusters.ts'
import type { OtherNames } from './other-names.ts'
import { PACKAGES } from './packages.ts'
import { REPOSITORIES } from './repositories.ts'
import { SYSTEMS } from './systems.ts'

/** The other names of a program, ready to be compared. */
export interface ReadOtherNames extends Omit<OtherNames, 'same'> {
  /** Groups of names, each name as its words. */
  readonly groups: readonly (readonly (readonly string[])[])[]
}

/** Ends a name behind which no word follows that is not an option. */
export const END = '\0'

/** Programs and commands that do the same. */
const SAME_COMMANDS = readGroups([
  'npx|npm exec|npm x',
  'pnpx|pnpm dlx',
  'bunx|bun x',
  'uvx|uv tool run',
  'yarn|yarnpkg',
  'bundle|bundler',
  'mvn|mvnw|mvnd',
  'gradle|gradlew',
  'apt|apt-get|aptitude',
  'dnf|yum|microdnf',
  'docker-compose|docker compose',
  'podman-compose|podman compose',
  'fly|flyctl',
  'vercel|vc|now',
  'serverless|sls',
  'netlify|ntl',
  'iptables|iptables-legacy|iptables-nft',
  'ip6tables|ip6tables-legacy|ip6tables-nft',
  'shutdown|poweroff|reboot|halt|systemctl poweroff|systemctl reboot|systemctl halt|init 0|init 6',
])

const NOTHING: ReadOtherNames = { groups: [] }

const BY_PROGRAM = new Map<string, ReadOtherNames>()
for (const table of [PACKAGES, BUILD_TOOLS, REPOSITORIES, CLUSTERS, SYSTEMS]) {
  for (const [programs, { same, ...rest }] of Object.entries(table)) {
    const read = { ...rest, groups: readGroups(same) }
    for (const program of programs.split(' ')) BY_PROGRAM.set(program, read)
  }
}

/** The names that a program accepts for its subcommands. Nothing, if the program is not in the table. */
export function otherNames(program: string): ReadOtherNames {
  const known = programNames(program).find((name) => BY_PROGRAM.has(name))
  return known === undefined ? NOTHING : BY_PROGRAM.get(known)!
}

/** All commands that the words of a rule may be written as, the rule's own words first. */
export function spellingsOf(words: readonly string[]): readonly (readonly string[])[] {
  return commandsLike(words).flatMap((command) => {
    const groups = otherNames(command[0]!).groups.filter((names) => !names.every(isPlainWord))
    return [
      command,
      ...command.flatMap((_, at) => (at === 0 ? [] : groups.flatMap((names) => renamed(command, at, names)))),
    ]
  })
}

function commandsLike([first = '', ...rest]: readonly string[]): readonly (readonly string[])[] {
  const program = programName(first)
  const words = [program, ...rest]
  const [, family, subcommand] = /^([a-z]+)-(.+)$/.exec(program) ?? []
  return [
    words,
    // `python3 -m pip` is `pip`, and `git-push` is `git push`.
    ...(/^python[\d.]*$/.test(program) && rest[0] === '-m' && rest.length > 1 ? [rest.slice(1)] : []),
    ...(family === undefined ? [] : [[family, subcommand!, ...rest]]),
    ...withoutRun(words),
    ...SAME_COMMANDS.flatMap((names) => renamed(words, 0, names)),
  ]
}

export const RUNS = /^(?:run(?:-script)?|rum|urn|exec)$/
export const NPM_SCRIPTS = /^(?:test|t|tst|start|stop|restart)$/

/** `pnpm build` is `pnpm run build`. npm has such names for a few scripts only. */
function withoutRun([program = '', run = '', script, ...rest]: readonly string[]): readonly (readonly string[])[] {
  if (script === undefined || !RUNS.test(run) || !runsScripts(program, script)) return []
  return [[program, script, ...rest]]
}

function runsScripts(program: string, script: string): boolean {
  return /^(?:pnpm|yarn|yarnpkg|bun|deno)$/.test(program) || (/^c?npm$/.test(program) && NPM_SCRIPTS.test(script))
}

/** A name that is compared word by word, without another spelling of the whole command. */
function isPlainWord([word = '', ...others]: readonly string[]): boolean {
  return others.length === 0 && word !== END && !/^-|\*/.test(word)
}

/** The words with the name at a position replaced by its other names. A rule for `docker image` covers `docker rmi`. */
function renamed(
  words: readonly string[],
  at: number,
  names: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  const here = words.slice(at)
  return (
    names
      .filter((name) => name.slice(0, here.length).every((word, index) => word === here[index]))
      // `remove *+` installs, and `remove` does not.
      .filter((name) => !name.slice(here.length).some((word) => word.includes('*')))
      .flatMap((name) =>
        names
          .filter((other) => other !== name)
          .map((other) => [...words.slice(0, at), ...other, ...here.slice(name.length)]),
      )
  )
}

/** Whether a program may take one word for another. */
export function mayMeanWord(given: string, wanted: string, names: ReadOtherNames): boolean {
  if (given === wanted) return true
  const name = fold(wanted)
  const pieces = names.separator === undefined ? [given] : [given, ...given.split(names.separator)]
  return pieces.map(fold).some((piece) => {
    if (piece === name) return true
    if (name.includes('*') && matchText(name, piece)) return true
    if (names.groups.some((group) => hasWord(group, piece) && hasWord(group, name))) return true
    return names.abbreviates !== undefined && mayAbbreviate(piece, name, names)
  })
}

/** Whether a word that stands for a subcommand may be one that a user has defined. */
export function mayBeUserDefined(word: string, names: ReadOtherNames): boolean {
  if (names.userDefined !== true) return false
  const piece = fold(word)
  const known = names.groups.flat().map(([first = '']) => fold(first))
  return !known.some((name) => name === piece || (names.abbreviates !== undefined && name.startsWith(piece)))
}

function mayAbbreviate(given: string, wanted: string, { groups, abbreviates }: ReadOtherNames): boolean {
  if (groups.some((group) => hasWord(group, given))) return false
  const group = groups.find((each) => hasWord(each, wanted))
  // A rule may be written with an abbreviation too.
  if (group === undefined) return completes(given, wanted, abbreviates) || completes(wanted, given, abbreviates)
  return group.some((name) => name.length === 1 && completes(given, fold(name[0]!), abbreviates))
}

function completes(short: string, long: string, abbreviates: OtherNames['abbreviates']): boolean {
  const pattern = abbreviates === 'letters' ? Array.from(short).join('*') : short.split(':').join('*:')
  return /^[\p{L}\d]/u.test(short) && matchText(`${pattern}*`, long)
}

function hasWord(group: readonly (readonly string[])[], word: string): boolean {
  return group.some((name) => name.length === 1 && fold(name[0]!) === word)
}

/** Some programs take `installTest` for `install-test`. */
function fold(word: string): string {
  return word.startsWith('-') ? word : word.replaceAll(/(?<=[\p{L}\d])[-_](?=[\p{L}\d])/gu, '')
}

function readGroups(same: readonly string[]): ReadOtherNames['groups'] {
  return same.map((group) => group.split('|').map((name) => name.split(' ').map((word) => (word === '$' ? END : word))))
}
