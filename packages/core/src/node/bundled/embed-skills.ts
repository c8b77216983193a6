import { required, text as textKind, withDefault, checkOptions } from '@repertoire/skill-md/internal'
import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { childPath } from '../folder/names.ts'

/** Options of `embedSkills`. */
export interface EmbedSkillsOptions {
  /** The folder that contains the skills, each a folder with a SKILL.md. It must exist, and may be empty. */
  readonly from: string
  /** The file to write: a module of TypeScript or JavaScript. */
  readonly to: string
  /** The name under which the module exports the skills. Default `BUNDLED_SKILLS`. */
  readonly exportName?: string | undefined
}

/**
 * Writes the skills of a folder into a module, so that a package can ship them as code and load them without a
 * file system: `memorySource({ layer: 'bundled', id: 'my-package', skills: BUNDLED_SKILLS })`. Every folder is a skill,
 * and its content is preserved byte for byte; a file that begins with `#!` is executable. Names that begin with a dot
 * (such as `.placeholder`) and `node_modules` are skipped at every depth.
 * The module depends on the folder's content only.
 * @returns the names of the skills
 * @throws {TypeError} `from` is no folder; there is a folder in it without a SKILL.md, a link, or something that is not
 * a file; `exportName` is not a name
 */
export function embedSkills(options: EmbedSkillsOptions): readonly string[] {
  checkOptions<EmbedSkillsOptions>(
    'embedSkills',
    { from: required(textKind), to: required(textKind), exportName: withDefault('BUNDLED_SKILLS', textKind) },
    options,
  )
  const { to } = options
  const names = skillFolders(options.from)
  const code = skillsAsModule(names, options)
  mkdirSync(dirname(to), { recursive: true })
  // An unchanged file is not written, so that watchers do not rebuild.
  if (readIfExists(to) !== code) writeFileSync(to, code)
  return names
}

/** Returns the module that `embedSkills` writes. It has no types, so that it is TypeScript and JavaScript. */
function skillsAsModule(
  names: readonly string[],
  { from, exportName = 'BUNDLED_SKILLS' }: Omit<EmbedSkillsOptions, 'to'>,
): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(exportName))
    throw new TypeError(`embedSkills: "${exportName}" is not a valid name for a constant.`)
  return [
    '// Written by `embedSkills`. Change the files that it was made from, and run it again.',
    '',
    '/** Skills as values: folder → relative path → content. */',
    `export const ${exportName} = {`,
    ...names.flatMap((name) => [`  ${key(name)}: {`, ...filesOf(join(from, name)), '  },']),
    '}',
    '',
  ].join('\n')
}

function filesOf(folder: string): readonly string[] {
  const files = filesBelow(folder)
  if (!files.has('SKILL.md'))
    throw new TypeError(`${folder} contains no SKILL.md. Add one, or move the folder elsewhere.`)
  return Array.from(files, ([path, bytes]) => {
    const content = literal(bytes)
    // Run bits are not the same on every machine.
    const isProgram = bytes[0] === 0x23 && bytes[1] === 0x21
    return `    ${key(path)}: ${isProgram ? `{ content: ${content}, executable: true }` : content},`
  })
}

/** A property name of a literal. In brackets, `__proto__` is an ordinary name. */
function key(name: string): string {
  return name === '__proto__' ? "['__proto__']" : JSON.stringify(name)
}

function literal(bytes: Uint8Array): string {
  const text = asText(bytes)
  if (text !== undefined) return JSON.stringify(text)
  return `Uint8Array.from(atob('${Buffer.from(bytes).toString('base64')}'), (character) => character.charCodeAt(0))`
}

/** The text, if encoding it again gives exactly these bytes. */
function asText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function skillFolders(from: string): readonly string[] {
  if (statSync(from, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new TypeError(
      `embedSkills: \`from\` is no folder: ${from}. Name the folder that contains the skills' folders.`,
    )
  return readdirSync(from, { withFileTypes: true })
    .filter((entry) => isShipped(entry.name) && !entry.isFile())
    .map((entry) => {
      if (entry.isDirectory()) return entry.name
      throw new TypeError(`${join(from, entry.name)} is not a folder. Put the skill's folder itself there.`)
    })
    .toSorted()
}

function filesBelow(folder: string, path = ''): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  const names = readdirSync(join(folder, path)).filter(isShipped).toSorted()
  for (const name of names) {
    const inner = path === '' ? name : `${path}/${name}`
    const real = childPath(folder, inner)
    const stats = lstatSync(real)
    if (stats.isDirectory()) for (const [below, file] of filesBelow(folder, inner)) files.set(below, file)
    else if (stats.isFile()) files.set(inner, readFileSync(real))
    else
      throw new TypeError(
        `${real} is a link or no regular file, and only files are embedded. Put the file itself there.`,
      )
  }
  return files
}

function isShipped(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules'
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
