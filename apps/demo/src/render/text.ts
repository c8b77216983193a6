import { allOf } from '@repertoire/inspector/compare'
import { countCalls } from '@repertoire/inspector/run'
import { count, padTo, visible, visibleLine, wrap } from 'repertoire/terminal'
import { FAULT } from '../fault.ts'
import type { Story } from '../play-story.ts'
import type { PlayedTask } from '../play-task.ts'
import type { AdapterRecord } from '../record.ts'
import { CHAPTERS } from '../story.ts'
import { drawRows } from './rows.ts'
import type { Screen } from './screen.ts'

const MAX_DIFFERENCES = 6

/** The story for a terminal: what it is, what happened, whether all agree, and what to try next. */
export function storyText(story: Story, screen: Screen): string {
  const { task, skills, withGit, adapters, agreement, broken } = story
  const names = adapters.map(({ adapter }) => adapter)
  const folder = withGit ? 'git repository' : 'folder (there is no git here, so its commands fail)'
  return blocks([
    wrap(introductionOf(story), screen.width).map(screen.paint.bold).join('\n'),
    [
      ...field('Task', task, screen),
      ...field('Adapters', names.join(', '), screen),
      ...field('Skills', `${skills}, verified: every file is as skills-lock.json has it`, screen),
      ...field('Tools', `real ones, each adapter in a temporary ${folder}`, screen),
      ...(broken === undefined ? [] : field('Fault', `${broken} is broken on purpose: ${FAULT}`, screen)),
    ].join('\n'),
    drawRows(agreement.rows, { names, chapters: CHAPTERS }, screen),
    endOf(story, screen),
    nextText(story, screen),
  ])
}

/** The story in sentences, for the page. */
export function storySentences(story: Story): readonly string[] {
  const { broken, agreement } = story
  return [
    introductionOf(story),
    ...(broken === undefined
      ? ['Refused calls are against the rules of the skill that is active then.']
      : [`${broken} is broken on purpose: ${FAULT}.`]),
    ...(agreement.agreed ? [countsOf(story)] : []),
  ]
}

/** A task of the user's for a terminal. */
export function taskText(played: PlayedTask, screen: Screen): string {
  const { task, model, baseURL, folder, yes, adapters, rows, agreed } = played
  const { paint, width } = screen
  const names = adapters.map(({ adapter }) => adapter)
  const answers = adapters.flatMap(({ adapter, answer }) =>
    answer === undefined ? [] : [paint.bold(adapter), ...wrap(visible(answer.trim()) || '(no words)', width)],
  )
  const verdict = agreed
    ? `✓ ${adapters.length === 1 ? 'It' : `In ${allOf(adapters.length)}, the model`} was shown the same skills and tools. What it did with them was its choice.`
    : '✗ The adapters did not show the same, or one failed.'
  return blocks([
    [
      ...field('Task', visibleLine(task), screen),
      ...field('Model', visible(`${model} at ${baseURL}`), screen),
      ...field('Tools', visible(`Read and LS look at ${folder}; Write and Bash are a dry run`), screen),
      ...field('Consent', yes ? 'given to every skill, by --yes' : 'denied to every skill; --yes agrees', screen),
    ].join('\n'),
    drawRows(rows, { names, chapters: new Map() }, screen),
    answers.join('\n'),
    [...failures(adapters, screen), ...hanging(verdict, screen).map(agreed ? paint.green : paint.red)].join('\n'),
  ])
}

function introductionOf({ adapters: { length } }: Story): string {
  const where = length === 1 ? 'one agent framework' : `${allOf(length).replace('all ', '')} agent frameworks`
  return `A scripted model gives ${where === 'both agent frameworks' ? 'two agent frameworks' : where} the same task with the same Agent Skills. No key, no network.`
}

/** What the page counts in its head line too. */
function countsOf({ adapters }: Story): string {
  const [first] = adapters
  const { ran, refused } = countCalls(first?.run ?? { calls: [] })
  const steps = count(first?.run.steps.length ?? 0, 'step')
  if (adapters.length === 1) return `In ${steps}, ${count(ran, 'call')} ran and ${refused} were refused.`
  return `In ${allOf(adapters.length)}: the same ${steps}, word for word, the same ${count(ran, 'call')} ran, and the same ${refused} were refused.`
}

function endOf(story: Story, screen: Screen): string {
  const { adapters, agreement, files } = story
  const { paint } = screen
  const { rows } = agreement
  const differing = rows.filter((row) => row.length > 1).length
  const [first] = adapters
  const good = (text: string): readonly string[] => hanging(`✓ ${text}`, screen).map(paint.green)
  const failed = failures(adapters, screen)
  if (agreement.agreed && failed.length === 0 && first !== undefined)
    return [
      ...(adapters.length === 1 ? [] : good(`${count(rows.length, 'row')}, and none differs.`)),
      ...good(countsOf(story)),
      ...good(`On disk: ${filesSentence(first, files)}.`),
      ...adapters.flatMap(({ adapter, hidesTools }) =>
        hidesTools === false ? good(`${adapter} cannot hide tools, so lists of tools are not compared.`) : [],
      ),
    ].join('\n')
  const others = agreement.differences.map(
    ({ where, groups }) => `${where}: ${groups.map((group) => group.join(', ')).join(' ≠ ')}`,
  )
  const rest = others.length - MAX_DIFFERENCES
  return [
    ...failed,
    ...hanging(`✗ ${differing} of ${count(rows.length, 'row')} differ. Not the same either:`, screen).map(paint.red),
    ...others.slice(0, MAX_DIFFERENCES).flatMap((text) => hanging(`  ${visibleLine(text)}`, screen)),
    ...(rest > 0 ? [paint.dim(`  and ${rest} more, which --json holds`)] : []),
  ].join('\n')
}

function failures(adapters: readonly AdapterRecord[], screen: Screen): readonly string[] {
  return adapters.flatMap(({ adapter, failure }) =>
    failure === undefined ? [] : hanging(`✗ ${adapter} failed: ${visibleLine(failure)}`, screen).map(screen.paint.red),
  )
}

/** `docs/intro.md changed, CHANGELOG.md new, src/main.ts as before`. */
function filesSentence({ files = {} }: AdapterRecord, before: Readonly<Record<string, string>>): string {
  const state = (path: string): string =>
    before[path] === undefined ? 'new' : before[path] === files[path] ? 'as before' : 'changed'
  const gone = Object.keys(before).filter((path) => files[path] === undefined)
  return [...Object.keys(files).map((path) => `${path} ${state(path)}`), ...gone.map((path) => `${path} gone`)].join(
    ', ',
  )
}

function nextText({ broken }: Story, { paint }: Screen): string {
  const commands = [
    broken === undefined ? ['See it fail:', 'npm run demo -- --break langchain'] : ['See it agree:', 'npm run demo'],
    ['Look at every step on a page:', 'npm run demo -- --web'],
    ['Every check of the conformance suite:', 'npm run -s repertoire -- conformance'],
  ]
  return [
    paint.bold('Try next'),
    ...commands.flatMap(([what, command = '']) => [`  ${what}`, `    ${paint.cyan(command)}`]),
  ].join('\n')
}

const TITLE_WIDTH = 10

function field(title: string, text: string, { width, paint }: Screen): readonly string[] {
  return wrap(text, width - TITLE_WIDTH).map(
    (line, index) => paint.dim(padTo(index === 0 ? title : '', TITLE_WIDTH)) + line,
  )
}

/** Lines that begin below the first word of the first. */
function hanging(text: string, { width }: Screen): readonly string[] {
  return wrap(text, width - 2).map((line, index) => (index === 0 ? line : `  ${line}`))
}

function blocks(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part) => `${part}\n`)
    .join('\n')
}
