import { failure } from '../../failure.ts'
import type { HostBench, Outcome } from '../bench.ts'
import { activating, activatingUnknown, calling, together } from '../moves.ts'
import { linesOf, showsLines } from '../text.ts'
import { hidden, hostChecksOf, manifest, shown, wholly } from './define.ts'

const NEEDS = ['activation'] as const
const LARGE_LINES = 1200

/** A check that the instructions of a skill are shown whole, once it is activated. */
function loads(id: string, demands: string, write: (word: string) => readonly [file: string, body: string]) {
  return {
    id,
    demands,
    needs: NEEDS,
    async run(bench: HostBench) {
      const [file, body] = write(bench.word())
      const trial = await bench.start({ audit: file, plain: manifest('plain', 'Plain work.', 'Work.') })
      const [outcome] = await trial.send(activating('audit'))
      wholly('the request after the activation', outcome!.texts, body)
    },
  }
}

/** A check that skills that do not exist are answered, and that the conversation goes on. */
function unknown(id: string, demands: string, names: readonly string[]) {
  return {
    id,
    demands,
    needs: NEEDS,
    async run(bench: HostBench) {
      for (const name of names) {
        const body = bench.word()
        const trial = await bench.start({ plain: manifest('plain', 'Plain work.', `Always say ${body}.`) })
        const [outcome, next] = await trial.send(activatingUnknown(name), activating('plain'))
        toldOfFailure(outcome!, name)
        shown('the request after a later activation', next!.texts, body)
      }
    },
  }
}

const FAILURE =
  /\b(?:no|not|none|unknown|unavailable|invalid|error|failed|failure|fails|cannot|could not|missing|denied|refused)\b|n't\b|ENOENT/i

/** Asserts that the model is told that a call failed, by other words than the name in the call. */
export function toldOfFailure({ results, fresh }: Outcome, name: string): void {
  const told = results.length > 0 ? results : fresh
  if (!told.some((text) => FAILURE.test(text.replaceAll(name, ''))))
    throw failure('a result that says what went wrong', told)
}

export const activationHostChecks = hostChecksOf('activation', [
  loads('activation-body', 'shows the instructions of a skill whole, once it is activated', (word) => {
    const body = `# Audit\n\n1. Read ${word}.\n2. Compare it.\n\n## Then\n\n- Say ${word} at the end.`
    return [manifest('audit', 'Audits.', body), body]
  }),
  loads('activation-bom', 'shows the instructions of a file that begins with a byte order mark', (word) => {
    const body = `Read ${word}.\nCompare it.`
    return [`\uFEFF${manifest('audit', 'Audits.', body)}`, body]
  }),
  loads('activation-crlf', 'shows the instructions of a file whose lines end with CRLF', (word) => {
    const body = `Read ${word}.\n\nCompare it.`
    return [manifest('audit', 'Audits.', body).replaceAll('\n', '\r\n'), body]
  }),
  loads('activation-dashes-whole', 'shows instructions that contain a line of dashes whole', (word) => {
    const body = `Before ${word}.\n\n---\n\nname: between\n\n---\n\nAfter ${word}.`
    return [manifest('audit', 'Audits.', body), body]
  }),
  loads('activation-indentation', 'keeps indented lines, nested lists and code in instructions', (word) => {
    const body = `- Read ${word}.\n  - Then compare:\n\n    \`\`\`py\n    if ${word}:\n    \treturn 1\n    \`\`\`\n\n\tEnd of ${word}.`
    return [manifest('audit', 'Audits.', `Begin.\n\n${body}`), body]
  }),
  loads('activation-last-line', 'shows the last line of a file that does not end with a line break', (word) => {
    const body = `Read ${word}.\nCompare ${word}.`
    return [`---\nname: audit\ndescription: Audits.\n---\n${body}`, body]
  }),
  loads('activation-special-text', 'keeps markup, `$&`, braces and backslashes in instructions', (word) => {
    const body = `Say $& and $$ and {name} and {{name}}.\nWrite C:\\new\\table of ${word}.\n</skill></skill_content>\n<b>&amp; "${word}"</b>\n%s %d`
    return [manifest('audit', 'Audits.', body), body]
  }),
  loads('activation-unicode', 'keeps instructions in any script', (word) => {
    const body = `検査する ${word}。\nПроверь. בדוק. 🔧 é`
    return [manifest('audit', 'Audits.', body), body]
  }),
  {
    id: 'activation-large-body',
    demands: 'shows 100 KB of instructions whole, or says that they are cut',
    needs: NEEDS,
    async run(bench) {
      const word = bench.word()
      const body = Array.from(
        { length: LARGE_LINES },
        (_, at) => `Line ${at} of ${word}: ${'compare. '.repeat(8)}`,
      ).join('\n')
      const trial = await bench.start({ audit: manifest('audit', 'Audits.', body) })
      const [outcome] = await trial.send(activating('audit'))
      shown('the request after the activation', outcome!.texts, `Line 0 of ${word}`)
      wholeOrCut(outcome!, body, word)
    },
  },
  {
    id: 'activation-empty-body',
    demands: 'goes on when a skill without instructions is activated',
    needs: NEEDS,
    async run(bench) {
      const body = bench.word()
      const trial = await bench.start({
        empty: '---\nname: empty\ndescription: Says nothing.\n---\n',
        plain: manifest('plain', 'Plain work.', `Always say ${body}.`),
      })
      const [, next] = await trial.send(activating('empty'), activating('plain'))
      shown('the request after a later activation', next!.texts, body)
    },
  },
  {
    id: 'activation-right-skill',
    demands: 'shows the instructions of the skill that was named, and of no other',
    needs: NEEDS,
    async run(bench) {
      const [wanted, others] = [bench.word(), ['pdf-forms', 'pd', 'a-pdf'].map((name) => [name, bench.word()] as const)]
      const skills = others.map(([name, word]) => [name, manifest(name, `Handles ${name}.`, `Say ${word}.`)])
      const trial = await bench.start({
        ...Object.fromEntries(skills),
        pdf: manifest('pdf', 'Handles.', `Say ${wanted}.`),
      })
      const [outcome] = await trial.send(activating('pdf'))
      shown('the request after the activation', outcome!.texts, wanted)
      for (const [, word] of others) hidden('the request after the activation', outcome!.texts, word)
    },
  },
  {
    id: 'activation-two-in-one-message',
    demands: 'answers two activations of one message, each with its own skill',
    needs: NEEDS,
    async run(bench) {
      const [one, other] = [bench.word(), bench.word()]
      const trial = await bench.start({
        first: manifest('first', 'First work.', `Say ${one}.`),
        second: manifest('second', 'Second work.', `Say ${other}.`),
      })
      const [outcome] = await trial.send(together(activating('first'), activating('second')))
      shown('the request after both', outcome!.texts, `Say ${one}.`)
      shown('the request after both', outcome!.texts, `Say ${other}.`)
    },
  },
  {
    id: 'activation-one-after-another',
    demands: 'activates a second skill while the first is in use, and keeps both',
    needs: NEEDS,
    async run(bench) {
      const [one, other] = [bench.word(), bench.word()]
      const trial = await bench.start({
        first: manifest('first', 'First work.', `Say ${one}.`),
        second: manifest('second', 'Second work.', `Say ${other}.`),
      })
      const [, outcome] = await trial.send(activating('first'), activating('second'))
      shown('the request after both', outcome!.texts, `Say ${one}.`)
      shown('the request after both', outcome!.texts, `Say ${other}.`)
    },
  },
  {
    id: 'activation-twice',
    demands: 'goes on when a skill is activated again, and still shows its instructions',
    needs: NEEDS,
    async run(bench) {
      const body = bench.word()
      const trial = await bench.start({ plain: manifest('plain', 'Plain work.', `Say ${body}.`) })
      const [, , outcome] = await trial.send(
        activating('plain'),
        activating('plain'),
        calling('lookup', { order: '1' }),
      )
      shown('the request after that', outcome!.texts, `Say ${body}.`)
    },
  },
  unknown('activation-unknown-told', 'tells the model that there is no such skill, and goes on', ['no-such-skill']),
  unknown('activation-constructor', 'finds no skill under a name that every JavaScript object has', [
    'constructor',
    '__proto__',
    'toString',
  ]),
  {
    id: 'activation-traversal',
    demands: 'loads nothing from outside of its folder when the model writes a path as a name',
    needs: ['own activation'],
    async run(bench) {
      const secret = bench.word()
      const workspace = await bench.workspace({ plain: manifest('plain', 'Plain work.', 'Work.') })
      const outside = await workspace.writeOutside(
        'outside/SKILL.md',
        manifest('outside', 'Outside.', `Say ${secret}.`),
      )
      const folder = outside.slice(0, -'/SKILL.md'.length)
      const relative = workspace.pathFrom('plain', folder)
      for (const name of [relative, relative.slice('../'.length), `plain/${relative}`, folder]) {
        const trial = await bench.start(workspace)
        const [outcome] = await trial.attempt(activating(name))
        if (outcome !== undefined) hidden(`the request after "${name}"`, outcome.texts, secret)
      }
    },
  },
])

const CUT =
  /truncat|\bcut\b|shorten|omitted|too (?:large|long|big)|exceed|remaining|left out|\bmore (?:lines|characters|bytes|text)|limit|offset/i

/** Asserts that a long text is shown whole, or that the model is told that it is not. */
export function wholeOrCut({ texts, fresh }: Outcome, text: string, word: string): void {
  if (showsLines(texts, text)) return
  const notes = linesOf(fresh).filter((line) => !line.includes(word))
  if (!notes.some((note) => CUT.test(note)))
    throw failure(
      'the whole text, or a note that it is cut',
      fresh.map((each) => each.slice(-200)),
    )
}
