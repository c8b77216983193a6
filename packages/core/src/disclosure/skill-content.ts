import {
  formatRule,
  type SkillType,
  type ToolRule,
  type Layer,
  enclosed,
  escapeXml,
  oneLine,
  stripInvisible,
  showName,
} from '@repertoire/skill-md/internal'
import type { GateMode } from '@repertoire/gate/internal'
import { argumentLines } from './arguments.ts'
import type { FolderSummary } from './folder-summary.ts'
import { toolLines } from './mode-texts.ts'

/** The result of an activation. */
export interface Activation {
  readonly name: string
  readonly description: string
  /** The real path of the skill's folder: relative paths in the instructions resolve against it. */
  readonly basePath: string
  /** The whole body of SKILL.md with the arguments filled in: see `applyArguments`. */
  readonly instructions: string
  /** `allowed-tools` as rules, in the names of the host's tools. Absent: the skill restricts nothing. */
  readonly allowedTools?: readonly string[]
  /** `disallowed-tools` as rules, in the names of the host's tools. Absent: the skill forbids nothing. */
  readonly disallowedTools?: readonly string[]
  /** True: the skill names no tools, and the host gave it `allowedTools`. Absent: it was given none. */
  readonly assumedTools?: true
  /** How its rules are applied. Absent: `restrict`. */
  readonly mode?: Exclude<GateMode, 'restrict'>
  readonly args?: string
  readonly folder: FolderSummary
  /** The folder's path for the model. The same as `basePath`, unless the task has a private copy: `private:/.skills/…`. */
  readonly mountPath: string
  readonly layer: Layer
  /** The id of the source that found it. */
  readonly source: string
  /** Where it was imported from: the field `source` of its manifest. Absent: it is local. */
  readonly origin?: string
  readonly type: SkillType
  readonly metadata: Readonly<Record<string, string>>
}

/** Returns an activation as the text that the model is shown. */
export function activationText(activation: Activation): string {
  const { name, basePath, mountPath, instructions, allowedTools, disallowedTools, args } = activation
  const { folder, layer, source, type, metadata, assumedTools, mode = 'restrict' } = activation
  let head = `<skill_content name="${named(name)}" type="${type}" layer="${layer}" source="${named(source)}">\n`
  head += `Skill directory: ${named(mountPath)}\n`
  if (basePath !== mountPath) head += `Its real path, for shell commands: ${named(basePath)}\n`
  head += 'Relative paths in these instructions are relative to the skill directory.\n'
  const rules = {
    allowed: allowedTools?.map(named),
    denied: disallowedTools?.map(named),
    assumed: assumedTools === true,
  }
  for (const line of toolLines(mode, rules)) head += `${line}\n`
  if (args !== undefined) head += `Arguments: ${escapeXml(stripInvisible(args))}\n`
  for (const [key, value] of Object.entries(metadata)) head += `Metadata ${safeLine(key)}: ${safeLine(value)}\n`
  let tail = '\n'
  if (folder.files.length > 0) {
    tail += '<skill_resources>\n'
    for (const path of folder.files) tail += `<file>${named(path)}</file>\n`
    if (folder.truncated)
      tail +=
        folder.more === undefined
          ? 'The list is cut: there are more files.\n'
          : `The list is cut: there are ${folder.more} more files.\n`
    for (const { path, files } of folder.folders ?? []) tail += `<folder files="${files}">${named(path)}</folder>\n`
    tail += '</skill_resources>\n'
  }
  return `${head}\n${enclosed(instructions).trim()}\n${tail}</skill_content>`
}

/** Returns what later arguments change of an active skill's instructions, as the text that the model is shown. */
export function argumentsText(name: string, body: string, args: string): string {
  return changedText(name, argumentLines(body, args))
}

/** Returns what has changed of an active skill's instructions, as the text that the model is shown. */
export function changedText(name: string, changed: string): string {
  return `<skill_arguments name="${named(name)}">\n${enclosed(changed).trim()}\n</skill_arguments>`
}

/** Returns the rules as a person or a model reads them. */
export function formatRules(rules: readonly ToolRule[]): readonly string[] {
  return rules.map(formatRule)
}

function named(text: string): string {
  return escapeXml(showName(text))
}

// On one line, since otherwise a value could imitate the lines around it.
function safeLine(text: string): string {
  return oneLine(stripInvisible(text))
}
