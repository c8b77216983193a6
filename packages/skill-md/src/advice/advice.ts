import { applyAgentFile } from '../agent-file.ts'
import { materialise } from '../diagnostics.ts'
import { anyText } from '../options/kinds.ts'
import { checkOptions } from '../options/table.ts'
import { groupResources, unseenParts } from '../resources.ts'
import { estimateTokens } from '../text/tokens.ts'
import { AGENT_FILE } from '../ports/manifest.ts'
import type { Diagnostic } from '../ports/diagnostic.ts'
import type { FolderEntry, FolderListing, SkillFolder } from '../ports/skill.ts'
import { excerpt } from '../text/hidden.ts'
import {
  MAX_BYTES,
  MAX_FILES,
  readText,
  type ReportAdvice,
  type SkillFiles,
  type TextPosition,
  adviseOnLinks,
} from './link-advice.ts'
import type { SkillDocument } from '../document.ts'

/** Options of `adviseSkill`. */
export interface AdviceOptions {
  /** The manifest's path, as diagnostics name it. Default: `SKILL.md` at the folder's location. */
  readonly path?: string | undefined
}

/** From the advice on progressive disclosure in the Agent Skills specification: 500 lines, 5,000 tokens. */
const MAX_LINES = 500
const MAX_TOKENS = 5000

/** The most findings of one kind that are reported. */
const MAX_FINDINGS = 20

const MODULE_ENDINGS = ['.js', '.mjs', '.ts', '.mts']

/** The most entries that one finding names. */
const MAX_NAMED = 5

/** Extensions of scripts that a system can start by their first line; any other needs its interpreter named anyway. */
const SCRIPT_EXTENSION = /[^/]\.(?:sh|bash|zsh|fish|py|rb|pl|js|mjs|cjs|ts|mts|php|lua|r|awk|tcl)$/i
const NO_EXTENSION = /(?:^|\/)[^./]+$/

/**
 * Returns advice for the author of a skill: on the length of the body, on broken links, on nested references, on scripts
 * that cannot be started directly, on modules of toolsets that are missing, on `agents/openai.yaml`, and on what prevents
 * consent from being remembered. All of it has severity `info`, except that an unreadable `agents/openai.yaml` is a
 * warning. It never stops a skill from being loaded. Reads the listing and at most 100 files, none over 256 KiB.
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
  const diagnostics: Diagnostic[] = []
  const counts = new Map<string, number>()
  const advise: ReportAdvice = (code, finding) => {
    const count = (counts.get(code) ?? 0) + 1
    counts.set(code, count)
    if (count <= MAX_FINDINGS) diagnostics.push({ code, severity: 'info', ...finding })
  }
  adviseOnLength(body, { path, line: bodyLine }, advise)
  const listing = await folder.list()
  await adviseOnLinks(body, { path, line: bodyLine }, { folder, listing }, advise)
  await adviseOnScripts({ folder, listing }, advise)
  adviseOnUnseen(listing, path, advise)
  adviseOnToolsets(document.manifest?.toolsets ?? [], { path, listing }, advise)
  if (document.manifest !== undefined && listing.files.some((file) => file.path === AGENT_FILE)) {
    const { findings } = await applyAgentFile(document.manifest, folder)
    diagnostics.push(...findings.map((finding) => materialise(path, finding)))
  }
  return diagnostics
}

function adviseOnLength(body: string, place: TextPosition, advise: ReportAdvice): void {
  const hint = 'Move what is not always needed into files under references/, and say in the body when to read them.'
  const lines = body === '' ? 0 : body.replace(/\r?\n$/, '').split('\n').length
  if (lines > MAX_LINES) {
    advise('BODY_LONG', { ...place, message: `The body has ${lines} lines; at most ${MAX_LINES} are advised.`, hint })
  }
  const tokens = estimateTokens(body)
  if (tokens > MAX_TOKENS) {
    const message = `The body has about ${tokens} tokens; at most ${MAX_TOKENS} are advised.`
    advise('BODY_MANY_TOKENS', { ...place, message, hint })
  }
}

async function adviseOnScripts({ folder, listing }: SkillFiles, advise: ReportAdvice): Promise<void> {
  const hasRunBits = keepsRunBits({ folder, listing })
  const packages = new Set(listing.files.flatMap(({ path }) => /^(.*\/)__init__\.py$/.exec(path)?.[1] ?? []))
  const scripts = groupResources(listing.files).scripts.filter(
    ({ path }) => (SCRIPT_EXTENSION.test(path) || NO_EXTENSION.test(path)) && !/\.d\.m?ts$/i.test(path),
  )
  for (const script of scripts.slice(0, MAX_FILES)) {
    const text = script.size > MAX_BYTES ? undefined : await readText(script.path, { folder, listing })
    // A compiled program needs no interpreter.
    if (text === undefined) continue
    const isMarked = text.startsWith('#!') || script.executable
    const mayBeOther = NO_EXTENSION.test(script.path) || packages.has(script.path.replace(/[^/]*$/, ''))
    // A license, or a module of a package, is not a script unless it is marked as one.
    if (isMarked || !mayBeOther) adviseOnScript(script, text, { location: folder.location, hasRunBits }, advise)
  }
}

function adviseOnScript(
  { path, executable }: FolderEntry,
  text: string,
  { location, hasRunBits }: { readonly location: string; readonly hasRunBits: boolean },
  advise: ReportAdvice,
): void {
  const place = { path: `${location}/${path}`, line: 1 }
  if (!text.startsWith('#!')) {
    const message = `The script ${excerpt(path)} does not begin with "#!".`
    const hint = 'Begin it with its interpreter, such as "#!/usr/bin/env bash".'
    advise('SCRIPT_NO_SHEBANG', { ...place, message, hint })
  }
  const isShell = text.startsWith('#!') ? /^#!.*sh\b/.test(text) : /\.(?:ba)?sh$/.test(path)
  if (isShell && /^.*\r\n/.test(text)) {
    const message = `The lines of the script ${excerpt(path)} end with CRLF, which no shell reads.`
    advise('SCRIPT_CRLF', { ...place, message, hint: 'Save it with LF, the line end of Unix.' })
  }
  if (hasRunBits && !executable) {
    const message = `The script ${excerpt(path)} is not executable.`
    advise('SCRIPT_NOT_EXECUTABLE', { ...place, message, hint: `Make it executable: chmod +x ${path}` })
  }
}

function adviseOnUnseen(listing: FolderListing, path: string, advise: ReportAdvice): void {
  const unseen = unseenParts(listing)
  if (unseen.length === 0) return
  const named = unseen.slice(0, MAX_NAMED).map((part) => (part.path === undefined ? part.reason : `${excerpt(part.path)} (${part.reason})`)) // prettier-ignore
  const more = unseen.length > named.length ? ` and ${unseen.length - named.length} more` : ''
  advise('FOLDER_NOT_WHOLE', {
    path,
    message: `Every activation asks for consent again, since the folder holds what cannot be checked: ${named.join(', ')}${more}.`,
    hint: 'Keep in the folder what is a plain file, up to 64 MiB: copy what a link leads to, and install elsewhere.',
  })
}

/** Whether a module exports what is named is known only when it runs. */
function adviseOnToolsets(
  toolsets: readonly string[],
  { path, listing }: { readonly path: string; readonly listing: FolderListing },
  advise: ReportAdvice,
): void {
  const files = new Set(listing.files.map((file) => file.path))
  for (const toolset of toolsets) {
    const module = toolset.slice(0, toolset.lastIndexOf(':')).replace(/^\.\//, '')
    if (MODULE_ENDINGS.some((ending) => files.has(module + ending))) continue
    const message = `The toolset ${excerpt(toolset)} names a module that is not in the folder.`
    const hint = `Add ${excerpt(module)} with the ending ${MODULE_ENDINGS.join(', ')}, or remove the toolset.`
    advise('TOOLSET_MISSING', { path, message, hint })
  }
}

/** Whether the folder's storage has run bits: memory, some archives and Windows do not. */
function keepsRunBits({ folder, listing }: SkillFiles): boolean {
  return folder.location.startsWith('/') || listing.files.some(({ executable }) => executable)
}
