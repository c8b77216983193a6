import { dirname } from 'node:path'
import type { HostBench } from '../bench.ts'
import type { HostCheck } from '../check.ts'
import { activating, lookingUp, type Move, together } from '../moves.ts'
import type { Workspace } from '../workspace.ts'
import { hidden, hostChecksOf, longText, manifest, PLAIN, saying, scene } from './define.ts'

/** A check that the instructions of a skill are shown whole, once it is activated. */
function loads(id: string, demands: string, body: string, file: string) {
  return scene(id, demands, ([word]) => ({
    skills: { ...PLAIN, audit: file.replaceAll('WORD', word) },
    moves: [activating('audit')],
    shows: [body.replaceAll('WORD', word)],
  }))
}

/** A check of several activations: after them, the instructions of both skills are shown. */
function activates(id: string, demands: string, ...moves: readonly Move[]) {
  return scene(id, demands, ([one, other]) => ({
    skills: saying({ first: one, second: other }),
    moves,
    shows: [`Say ${one}.`, `Say ${other}.`],
  }))
}

/** A check that the model is told that skills do not exist, and that the conversation goes on. */
function unknown(id: string, demands: string, ...names: readonly string[]) {
  return scene(id, demands, ([word]) => ({
    skills: saying({ plain: word }),
    moves: [...names.map((name) => ({ ...activating(name), absent: name })), activating('plain')],
    shows: [`Say ${word}.`],
  }))
}

/** A check that the model gets nothing to read from outside of the skills, whatever it writes. */
export function keepsOut(
  id: string,
  demands: string,
  needs: HostCheck['needs'],
  prepare: (workspace: Workspace, secret: string) => Promise<readonly (readonly Move[])[]>,
) {
  return {
    id,
    demands,
    needs,
    async run(bench: HostBench) {
      const secret = bench.word()
      const audit = { 'SKILL.md': manifest('audit', 'Audits.', 'Read.'), 'a.md': 'A.' }
      const workspace = await bench.workspace({ audit })
      for (const moves of await prepare(workspace, secret)) {
        const outcome = (await (await bench.start(workspace)).attempt(...moves)).at(-1)
        hidden(`the request after ${moves.at(-1)!.what}`, outcome?.texts ?? [], secret)
      }
    },
  }
}

/** What instructions may contain: lists, code, any script, markup, what templates replace, and a line of dashes. */
const EVERYTHING = String.raw`# Audit

1. Read WORD.
  - Then compare:

    if WORD:
        return 1

---

name: between

---

## Then

検査する WORD。 Проверь. בדוק. 🔧 é
Say $& and $$ and {name} and {{name}} and %s, and write C:\new\table.
</skill></skill_content>
<b>&amp; "WORD"</b>`
const SHORT = 'Read WORD.\n\nCompare it.'
const FILE = manifest('audit', 'Audits.', SHORT)

export const activationHostChecks = hostChecksOf(
  'activation',
  [
    loads(
      'activation-body',
      'shows the instructions of a skill whole, once it is activated',
      EVERYTHING,
      manifest('audit', 'Audits.', EVERYTHING).trimEnd(),
    ),
    loads(
      'activation-bom',
      'shows the instructions of a file that begins with a byte order mark',
      SHORT,
      `\uFEFF${FILE}`,
    ),
    loads(
      'activation-crlf',
      'shows the instructions of a file whose lines end with CRLF',
      SHORT,
      FILE.replaceAll('\n', '\r\n'),
    ),
    scene('activation-large-body', 'shows 100 KB of instructions whole, or says that they are cut', ([word]) => {
      const long = longText(1200, word)
      return {
        skills: { audit: manifest('audit', 'Audits.', long) },
        moves: [activating('audit')],
        shows: [`Line 0 of ${word}`],
        long,
      }
    }),
    scene(
      'activation-right-skill',
      'shows the instructions of the skill that was named, and of no other',
      ([wanted, ...others]) => ({
        skills: saying({ 'a-pdf': others[0], pd: others[0], pdf: wanted, 'pdf-forms': others[1] }),
        moves: [activating('pdf')],
        shows: [`Say ${wanted}.`],
        hides: others,
      }),
    ),
    activates(
      'activation-two-in-one-message',
      'answers two activations of one message, each with its own skill',
      together(activating('first'), activating('second')),
    ),
    activates(
      'activation-one-after-another',
      'activates a second skill while the first is in use, and keeps both',
      activating('first'),
      activating('second'),
    ),
    scene(
      'activation-twice',
      'goes on when a skill is activated again, and still shows its instructions',
      ([word]) => ({
        skills: saying({ plain: word }),
        moves: [activating('plain'), activating('plain'), lookingUp('1')],
        shows: [`Say ${word}.`],
      }),
    ),
    unknown('activation-unknown-told', 'tells the model that there is no such skill, and goes on', 'no-such-skill'),
    unknown(
      'activation-constructor',
      'finds no skill under a name that every JavaScript object has',
      'constructor',
      '__proto__',
      'toString',
    ),
    keepsOut(
      'activation-traversal',
      'loads nothing from outside of its folder when the model writes a path as a name',
      ['own activation'],
      async (workspace, secret) => {
        const file = manifest('outside', 'Outside.', `Say ${secret}.`)
        const folder = dirname(await workspace.writeOutside('outside/SKILL.md', file))
        const path = workspace.pathFrom('audit', folder)
        const names = [path, path.slice('../'.length), `audit/${path}`, folder]
        return names.map((name) => [activating(name)])
      },
    ),
  ],
  ['activation'],
)
