import type { CompositeStep, SkillDefinition, SkillType } from '../ports/manifest.ts'
import type { Fault, Report } from '../diagnostics.ts'
import { quote } from '../text/escape.ts'
import { findHidden, findUnseen } from '../text/hidden.ts'
import { codeBlocks, type CodeBlock } from '../markdown.ts'
import { describeType, readText, toValue, type YamlMap, type YamlNode } from '../yaml/tree.ts'

/** A type whose definition is in a code block. */
type BlockType = Exclude<SkillType, 'instruction'>
type YamlResult = { readonly root: YamlNode } | { readonly fault: Fault }

/** Reads YAML, which includes JSON. */
type ReadYaml = (text: string, firstLine: number) => YamlResult | Promise<YamlResult>

/** The definition, or the fault in it; undefined if the block is not a definition. */
type BlockResult = { readonly definition: SkillDefinition } | { readonly fault: Fault } | undefined

/** The languages of a block that may be a mapping. */
const DATA_LANGUAGES: ReadonlySet<string> = new Set(['json', 'yaml', 'yml'])

/** Later blocks are ignored: no person would search that far for the plan. */
const MAX_BLOCKS = 100

/** The key of the mapping that holds the definition. */
const KEYS = { composite: 'steps', script: 'script', template: 'template' } as const

const EXAMPLES: Readonly<Record<BlockType, string>> = {
  composite: 'Add a "yaml" block with "steps:", a list whose entries have "tool" and "parameters".',
  script: 'Add a fenced code block that holds the script, with its language behind the opening fence.',
  template: 'Add a fenced code block that holds the template.',
}

/**
 * Reads what a body defines: the first suitable fenced code block at the top level. The text around it is for people.
 *
 * If the block is JSON, YAML or has no language, and is a mapping with the key `steps`, `script` or `template`, that
 * key's value is the definition. Otherwise the text of the first block is the script or the template, and the block's
 * language is the script's. A plan may also be a bare list. Anything ambiguous is refused, since a definition is
 * executed.
 * @param line the file's line on which the body begins, 1-based
 */
export async function readDefinition(
  type: BlockType,
  body: string,
  line: number,
  readYaml: ReadYaml,
  report: Report,
): Promise<SkillDefinition | undefined> {
  let blockCount = 0
  for (const block of codeBlocks(body)) {
    if (++blockCount > MAX_BLOCKS) break
    const result = block.closed
      ? await readBlock(type, block, line + block.index + 1, readYaml)
      : { fault: unclosed(line + block.index) }
    if (result === undefined) continue
    if ('fault' in result) return report.error(result.fault.code, result.fault)
    checkHidden(result.definition, body, line + block.index, report)
    return result.definition
  }
  // A script or a template is the first block, so only a plan can be missing although there are blocks.
  const noPlan =
    blockCount > MAX_BLOCKS ? `none of the first ${MAX_BLOCKS} code blocks holds a plan` : 'no code block holds a plan'
  const problem = blockCount === 0 ? 'the body has no fenced code block' : noPlan
  report.error('DEFINITION_MISSING', { line, message: `The type is "${type}", and ${problem}.`, hint: EXAMPLES[type] })
  return undefined
}

/** @param line the file's line on which the block's text begins */
async function readBlock(
  type: BlockType,
  { language, text }: CodeBlock,
  line: number,
  readYaml: ReadYaml,
): Promise<BlockResult> {
  const mayBeData = language === undefined || DATA_LANGUAGES.has(language.toLowerCase())
  const yaml = mayBeData && text.trim() !== '' ? await readYaml(text, line) : undefined
  const root = yaml !== undefined && 'root' in yaml ? yaml.root : undefined
  const value = root?.kind === 'map' ? root.entries.find(({ key }) => key === KEYS[type]) : undefined
  if (type === 'composite') {
    if (root?.kind === 'list') return readSteps(root)
    if (root?.kind === 'map' && value !== undefined) return checkKeys(root, ['steps']) ?? readSteps(value.value)
    // A plan that cannot be read is an error. It is not skipped in favor of a later block.
    const isBroken = yaml !== undefined && 'fault' in yaml && (language !== undefined || opensWith('steps', text))
    return isBroken ? { fault: invalidYaml(yaml.fault) } : undefined
  }
  if (root?.kind === 'map' && value !== undefined) return readMapping(type, root, value.value)
  if (yaml !== undefined && 'fault' in yaml && opensWith(KEYS[type], text)) {
    return { fault: invalidYaml(yaml.fault) }
  }
  if (text.trim() === '') return { fault: invalid(line - 1, `The ${type} is empty.`, EXAMPLES[type]) }
  if (type === 'template') return { definition: { type: 'template', template: text } }
  return { definition: { type: 'script', script: text, ...(language === undefined ? {} : { language }) } }
}

function readMapping(type: 'script' | 'template', root: YamlMap, node: YamlNode): BlockResult {
  const refused = checkKeys(root, type === 'script' ? ['script', 'language'] : ['template'])
  if (refused !== undefined) return refused
  const text = readString(node)
  if (text === undefined || text.trim() === '') {
    const problem = text === undefined ? describeType(node) : 'empty'
    return { fault: invalid(node.line, `The value of "${type}" is ${problem}, not text.`, 'Write it behind "|".') }
  }
  if (type === 'template') return { definition: { type, template: text } }
  const entry = root.entries.find(({ key }) => key === 'language')
  if (entry === undefined) return { definition: { type, script: text } }
  const language = readText(entry.value)
  if (language === undefined || language.trim() === '' || findUnseen(language) !== undefined) {
    const message = 'The value of "language" is not a word.'
    return { fault: invalid(entry.line, message, 'Name the language, such as "bash", or remove the line.') }
  }
  return { definition: { type, script: text, language } }
}

function readSteps(node: YamlNode): BlockResult {
  if (node.kind !== 'list') {
    const message = `The value of "steps" is ${describeType(node)}, not a list.`
    return { fault: invalid(node.line, message, 'Write each step as an entry "- tool: …".') }
  }
  if (node.items.length === 0) return { fault: invalid(node.line, 'The plan has no step.', EXAMPLES.composite) }
  const steps: CompositeStep[] = []
  for (const [index, item] of node.items.entries()) {
    const step = readStep(item, index + 1)
    if ('fault' in step) return step
    steps.push(step)
  }
  return { definition: { type: 'composite', steps } }
}

function readStep(node: YamlNode, number: number): CompositeStep | { readonly fault: Fault } {
  const refuse = (line: number, problem: string, hint: string) => ({
    fault: invalid(line, `Step ${number} ${problem}.`, hint),
  })
  if (node.kind !== 'map') return refuse(node.line, `is ${describeType(node)}, not a mapping`, 'Write "- tool: …".')
  let tool: string | undefined
  let parameters: CompositeStep['parameters'] = {}
  let description: string | undefined
  for (const { key, line, value } of node.entries) {
    if (key === 'tool') {
      tool = readText(value)?.trim()
      if (tool === undefined || tool === '') return refuse(line, 'names no tool', 'Give "tool" the name of a tool.')
      const unseen = findUnseen(tool)
      if (unseen !== undefined) return refuse(line, `has ${unseen} in its tool, which is not shown`, 'Remove it.')
    } else if (key === 'parameters') {
      if (value.kind !== 'map' && !(value.kind === 'scalar' && value.value === null)) {
        return refuse(line, `has ${describeType(value)} as "parameters"`, 'Write them as "name: value" lines.')
      }
      parameters = value.kind === 'map' ? (toValue(value) as CompositeStep['parameters']) : {}
    } else if (key === 'description') {
      description = readText(value)
      if (description === undefined) return refuse(line, `has ${describeType(value)} as "description"`, 'Write text.')
    } else {
      // A key that means something to its author, such as a condition, must not be ignored when the step runs.
      return refuse(line, `holds ${quote(key)}, which is not known`, 'A step has "tool", "parameters", "description".')
    }
  }
  if (tool === undefined) return refuse(node.line, 'names no tool', 'Add "tool: <name>".')
  return { tool, parameters, ...(description === undefined ? {} : { description }) }
}

function checkKeys(root: YamlMap, known: readonly string[]): { readonly fault: Fault } | undefined {
  const unknown = root.entries.find(({ key }) => !known.includes(key))
  if (unknown === undefined) return undefined
  const [key] = known
  const message = `The block holds ${quote(unknown.key)} beside "${key}", which is not known.`
  const hint =
    key === 'steps'
      ? 'Remove it.'
      : `Remove it. If the block itself is the ${key}, name another language behind its opening fence, such as "text".`
  return { fault: invalid(unknown.line, message, hint) }
}

/** Returns the text of a script or a template as written, even if it looks like a date. */
function readString(node: YamlNode): string | undefined {
  return node.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined
}

/** Whether a block that is not valid YAML was nevertheless meant as the mapping. */
function opensWith(key: string, text: string): boolean {
  return new RegExp(`^\\s*(?:\\{\\s*)?["']?${key}["']?[ \\t]*:`).test(text)
}

/** Reports hidden characters that are written as escapes, and so are not in the body's text itself. */
function checkHidden(definition: SkillDefinition, body: string, line: number, report: Report): void {
  if (findHidden(body) !== undefined) return
  const hidden = [...strings(definition)].map(findHidden).find((found) => found !== undefined)
  if (hidden === undefined) return
  const message = `The definition holds characters that are not shown: ${hidden.codePoints.join(', ')}.`
  report.warning('HIDDEN_CHARACTERS', {
    line,
    message,
    hint: 'Look at them before you trust the skill, and remove them.',
  })
}

/** Yields every string in a plain value, including keys. */
function* strings(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      yield key
      yield* strings(part)
    }
  }
}

function unclosed(line: number): Fault {
  return invalid(line, 'The code block that opens here is not closed.', 'Close it with a line of its opening fence.')
}

function invalidYaml({ line, message, hint = 'Correct the block.' }: Fault): Fault {
  // The reader's messages name the frontmatter, which is what it mostly reads.
  return invalid(line, message.replace('The frontmatter', 'The code block'), hint)
}

function invalid(line: number | undefined, message: string, hint: string): Fault {
  return { code: 'DEFINITION_INVALID', message, hint, ...(line === undefined ? {} : { line }) }
}
