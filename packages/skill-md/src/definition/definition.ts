import type { CompositeStep, SkillDefinition, SkillType } from '../ports/manifest.ts'
import type { Report } from '../diagnostics.ts'
import { findHidden, findUnseen } from '../text/hidden.ts'
import { quote } from '../text/escape.ts'
import { codeBlocks } from '../markdown.ts'
import { describeType, readText, toValue, type YamlNode, type YamlReader } from '../yaml/tree.ts'

/** The languages of a block that may be a mapping. */
const DATA_LANGUAGES = ['json', 'yaml', 'yml', undefined]

/** Later blocks are ignored: no person would search that far for the plan. */
const MAX_BLOCKS = 100

/** The key of the mapping that holds the definition, and what to do about one that cannot be read. */
const TYPES = {
  composite: ['steps', 'Add a "yaml" block with "steps:", a list whose entries have "tool" and "parameters".'],
  script: ['script', 'Add a fenced code block that holds the script, with its language behind the opening fence.'],
  template: ['template', 'Add a fenced code block that holds the template.'],
} as const

/** Reports an error in the definition. */
type Refuse = (line: number | undefined, message: string) => undefined

/**
 * Reads what a body defines: the first suitable fenced code block at the top level. The text around it is for people.
 *
 * If the block is JSON, YAML or has no language, and is a mapping with the key `steps`, `script` or `template`, that
 * key's value is the definition. Otherwise the text of the first block is the script or the template, and the block's
 * language is the script's. A plan may also be a bare list. Anything ambiguous is refused, since a definition is
 * executed.
 * @param line the file's line on which the body begins, 1-based
 * @param readYaml reads YAML, which includes JSON
 */
export async function readDefinition(
  type: Exclude<SkillType, 'instruction'>,
  body: string,
  line: number,
  readYaml: (...of: Parameters<YamlReader>) => Promise<ReturnType<YamlReader>>,
  report: Report,
): Promise<SkillDefinition | undefined> {
  const [name, hint] = TYPES[type]
  const refuse: Refuse = (at, message) =>
    report.error('DEFINITION_INVALID', { message, hint, ...(at !== undefined && { line: at }) })
  let count = 0
  for (const { language, text, index, closed } of codeBlocks(body)) {
    if (++count > MAX_BLOCKS) break
    const at = line + index
    if (!closed) return refuse(at, 'The code block that opens here is not closed.')
    const isData = DATA_LANGUAGES.includes(language?.toLowerCase()) && text.trim() !== ''
    const yaml = isData ? await readYaml(text, at + 1) : undefined
    const root = yaml !== undefined && 'root' in yaml ? yaml.root : undefined
    const entries = root?.kind === 'map' ? root.entries : []
    const isList = type === 'composite' && root?.kind === 'list'
    const value = isList ? root : entries.find(({ key }) => key === name)?.value
    if (value === undefined) {
      // What was meant as the mapping is not skipped, and not executed as a text.
      const isMeant = new RegExp(`^\\s*(?:\\{\\s*)?["']?${name}["']?[ \\t]*:`).test(text)
      if (yaml !== undefined && 'fault' in yaml && (isMeant || (type === 'composite' && language !== undefined))) {
        // The reader's messages name the frontmatter, which is what it mostly reads.
        return refuse(yaml.fault.line, yaml.fault.message.replace('The frontmatter', 'The code block'))
      }
      if (type === 'composite') continue
      if (text.trim() === '') return refuse(at, `The ${type} is empty.`)
      return type === 'template' ? { type, template: text } : { type, script: text, ...(language && { language }) }
    }
    const unknown = entries.find(({ key }) => key !== name && !(type === 'script' && key === 'language'))
    if (unknown !== undefined) {
      return refuse(unknown.line, `The block holds ${quote(unknown.key)} beside "${name}", which is not known.`)
    }
    const definition =
      type === 'composite'
        ? readSteps(value, refuse)
        : readNamed(type, value, entries.find(({ key }) => key === 'language')?.value, refuse)
    // An escape can write what the body's own text does not show.
    const hidden = findHidden(body) === undefined ? findHidden(textOf(definition)) : undefined
    if (hidden !== undefined) {
      const message = `The definition holds characters that are not shown: ${hidden.codePoints.join(', ')}.`
      const look = 'Look at them before you trust the skill, and remove them.'
      report.warning('HIDDEN_CHARACTERS', { line: at, message, hint: look })
    }
    return definition
  }
  // A script or a template is the first block, so only a plan can be missing although there are blocks.
  const problem = count === 0 ? 'the body has no fenced code block' : 'no code block holds a plan'
  return report.error('DEFINITION_MISSING', { line, message: `The type is "${type}", and ${problem}.`, hint })
}

function readNamed(
  type: 'script' | 'template',
  node: YamlNode,
  named: YamlNode | undefined,
  refuse: Refuse,
): SkillDefinition | undefined {
  // As written, even if it looks like a date.
  const text = node.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined
  if (text === undefined || text.trim() === '') {
    return refuse(
      node.line,
      `The value of "${type}" is ${text === undefined ? describeType(node) : 'empty'}, not text.`,
    )
  }
  if (type === 'template') return { type, template: text }
  if (named === undefined) return { type, script: text }
  const language = readText(named)?.trim() ?? ''
  if (language === '' || findUnseen(language) !== undefined) {
    return refuse(named.line, 'The value of "language" is not a word.')
  }
  return { type, script: text, language }
}

function readSteps(node: YamlNode, refuse: Refuse): SkillDefinition | undefined {
  if (node.kind !== 'list') return refuse(node.line, `The value of "steps" is ${describeType(node)}, not a list.`)
  if (node.items.length === 0) return refuse(node.line, 'The plan has no step.')
  const steps: CompositeStep[] = []
  for (const [index, item] of node.items.entries()) {
    const step = readStep(item, (line, problem) => refuse(line, `Step ${index + 1} ${problem}.`))
    if (step === undefined) return undefined
    steps.push(step)
  }
  return { type: 'composite', steps }
}

function readStep(node: YamlNode, refuse: Refuse): CompositeStep | undefined {
  if (node.kind !== 'map') return refuse(node.line, `is ${describeType(node)}, not a mapping`)
  const { tool, parameters, description, ...others } = Object.fromEntries(
    node.entries.map((entry) => [entry.key, entry]),
  )
  // A key that means something to its author, such as a condition, must not be ignored when the step runs.
  const [unknown] = Object.values(others)
  if (unknown !== undefined) return refuse(unknown.line, `holds ${quote(unknown.key)}, which is not known`)
  const name = tool && readText(tool.value)?.trim()
  if (name === undefined || name === '') return refuse(node.line, 'names no tool')
  const unseen = findUnseen(name)
  if (unseen !== undefined) return refuse(node.line, `has ${unseen} in its tool, which is not shown`)
  const given = parameters === undefined ? null : toValue(parameters.value)
  if (given !== null && parameters!.value.kind !== 'map') {
    return refuse(parameters!.line, `has ${describeType(parameters!.value)} as "parameters"`)
  }
  const text = description && readText(description.value)
  if (description !== undefined && text === undefined) {
    return refuse(description.line, `has ${describeType(description.value)} as "description"`)
  }
  return {
    tool: name,
    parameters: (given ?? {}) as CompositeStep['parameters'],
    ...(text !== undefined && { description: text }),
  }
}

/** Returns every string in a plain value, including keys. */
function textOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Object.entries(value).flat().map(textOf).join('\n')
  return typeof value === 'string' ? value : ''
}
