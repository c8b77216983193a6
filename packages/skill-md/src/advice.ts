import { findLinks } from './markdown.ts'
import { anyText } from './options/kinds.ts'
import { checkOptions } from './options/table.ts'
import type { SkillDocument } from './document.ts'
import type { Diagnostic } from './ports/diagnostic.ts'
import type { SkillFolder } from './ports/skill.ts'
import { quote } from './text/escape.ts'
import { normalForm } from './text/normal-form.ts'
import { estimateTokens } from './text/tokens.ts'

/** Options of `adviseSkill`. */
export interface AdviceOptions {
  /** The manifest's path, as diagnostics name it. Default: `SKILL.md` at the folder's location. */
  readonly path?: string | undefined
}

/** From the advice on progressive disclosure in the Agent Skills specification: 500 lines, 5,000 tokens. */
const MAX_LINES = 500
const MAX_TOKENS = 5000

/** The most broken links that are reported. */
const MAX_BROKEN = 20

/**
 * Returns advice for the author of a skill: on the length of the body, and on relative links in it that lead nowhere.
 * All of it has severity `info`; it never stops a skill from being loaded. Reads the folder's listing and no file.
 * @param document as returned by `parseSkill`; without a body there is no advice
 * @throws {SkillError} if the folder refuses to be listed
 * @throws {TypeError} an option is unknown or wrong
 */
export async function adviseSkill(
  document: SkillDocument,
  folder: SkillFolder,
  options: AdviceOptions = {},
): Promise<readonly Diagnostic[]> {
  checkOptions<AdviceOptions>('adviseSkill', { path: anyText }, options)
  const { body, bodyLine = 1 } = document
  if (body === undefined) return []
  const { path = `${folder.location}/SKILL.md` } = options
  return [...adviseOnLength(body, path, bodyLine), ...(await adviseOnLinks(body, path, bodyLine, folder))]
}

function* adviseOnLength(body: string, path: string, line: number): Generator<Diagnostic> {
  const place = { severity: 'info', path, line } as const
  const hint = 'Move what is not always needed into files under references/, and say in the body when to read them.'
  const lines = body === '' ? 0 : body.replace(/\r?\n$/, '').split('\n').length
  if (lines > MAX_LINES) {
    const message = `The body has ${lines} lines; at most ${MAX_LINES} are advised.`
    yield { code: 'BODY_LONG', ...place, message, hint }
  }
  const tokens = estimateTokens(body)
  if (tokens > MAX_TOKENS) {
    const message = `The body has about ${tokens} tokens; at most ${MAX_TOKENS} are advised.`
    yield { code: 'BODY_MANY_TOKENS', ...place, message, hint }
  }
}

async function adviseOnLinks(
  body: string,
  path: string,
  line: number,
  folder: SkillFolder,
): Promise<readonly Diagnostic[]> {
  const { files, truncated } = await folder.list()
  const known = new Set(files.flatMap((file) => withFolders(normalForm(file.path, 'NFC'))))
  const seen = new Set<string>()
  const advice: Diagnostic[] = []
  for (const { target, index } of findLinks(body)) {
    const linked = relativePath(target)
    if (linked === undefined || seen.has(linked)) continue
    if (advice.length === MAX_BROKEN) break
    seen.add(linked)
    const inside = resolvePath(linked)
    if (inside !== undefined && (truncated || inside === '' || known.has(inside))) continue
    advice.push({
      code: 'LINK_BROKEN',
      severity: 'info',
      path,
      line: line + index,
      message: `The link to ${quote(target)} ${inside === undefined ? "leaves the skill's folder" : 'leads to no file'}.`,
      hint: "Correct the path, or add the file: nothing outside the skill's folder is available.",
    })
  }
  return advice
}

/** Returns the relative path in a target; undefined for a URL, an absolute path, a fragment or a placeholder. */
function relativePath(target: string): string | undefined {
  const [path = ''] = target.split(/[?#]/, 1)
  // `{name}.md`, `$DIR/x`, `*.md`, `…` are placeholders for the reader to fill in.
  if (path === '' || /^(?:[/\\~]|[a-z][a-z\d+.-]*:)|[{}<>$*|…]|\.\.\./i.test(path)) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Returns a path and all folders above it. */
function withFolders(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** Returns a path with `.` and `..` resolved; undefined if it leaves the folder. */
function resolvePath(path: string): string | undefined {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '' && part !== '.') parts.push(part)
  }
  return normalForm(parts.join('/'), 'NFC')
}
