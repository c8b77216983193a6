import { join } from 'node:path'
import { failure } from '../failure.ts'
import { FIXTURE_SKILLS } from '../fixture-skills.ts'
import type { ScriptStep } from '../endpoint/script.ts'
import type { WireRequest } from '../endpoint/wire.ts'
import { benchTools } from '../tools.ts'
import { contains, ran, refusalIn, refusedWith, same, shown } from './assertions.ts'
import { activate, call, inTwoSteps, read, readSkillFile, say } from './script-steps.ts'
import { checksOf, playTrial } from './define.ts'

const STYLE = 'Present tense, one sentence an entry.'

/** Returns the last text that the model was shown. */
function lastText({ messages }: WireRequest): string {
  return messages.at(-1)?.text ?? ''
}

/** Returns the groups of a pattern that matches a text. The next call is made from them and from nothing else. */
function extract(text: string, pattern: RegExp): readonly string[] {
  const [, ...groups] = pattern.exec(text) ?? []
  if (groups.length === 0) throw failure(`the model to be told something like ${pattern}`, text)
  return groups.map((group) => group.replaceAll('\\"', '"'))
}

/** The host's own tool for reading files, in a working folder without any. */
const reading = {
  ...benchTools.find(({ name }) => name === 'Read')!,
  execute: (input: unknown) => {
    throw new Error(`ENOENT: no such file or directory, open '${(input as { file_path: string }).file_path}'`)
  },
}
const tools = benchTools.map((tool) => (tool.name === 'Read' ? reading : tool))

/** Returns the right name, as a refusal suggests it. */
const suggestedBy = (wire: WireRequest): string => extract(lastText(wire), /Did you mean \\?"([^"\\]+)\\?"\?/)[0]!

const rightPath: ScriptStep = (wire) => readSkillFile(suggestedBy(wire))
const rightName: ScriptStep = (wire) => activate(suggestedBy(wire))

/** Runs the script that could not be read. */
const runIt: ScriptStep = (wire) => {
  const [tool = '', command] = extract(lastText(wire), /Run it with \\?"([^"\\]+)\\?": `([^"\s]+)`/)
  return call(tool, { command })
}

/** A call whose arguments are JSON inside a JSON string. */
const asText = (tool: string, input: unknown) => call(tool, { raw: JSON.stringify(JSON.stringify(input)) })

/** The same call with correct arguments. */
const again = (input: unknown): ScriptStep => {
  return (wire) => {
    // Some clients repair the call themselves.
    if (refusalIn(lastText(wire)) === undefined) return say('Mended.')
    const [tool = ''] = extract(lastText(wire), /`([^`]+)` takes its input as one JSON object/)
    return call(tool, input)
  }
}

const CALLS = [
  ['activate_skill', { name: 'safe-edit' }],
  ['Read', { file_path: 'a.md' }],
] as const

/** Scripts that make the mistakes of weak models, and continue with what they are told. */
export const navigationChecks = checksOf('navigation', [
  {
    id: 'navigation-relative-path',
    title:
      "[LLM-1, SHOW-6] guides a model that resolves a skill's relative path against the working folder, or that passes an absolute path",
    async run(bench) {
      const trial = await playTrial(bench, {
        tools,
        script: [
          activate('release-notes'),
          read('references/style.md'),
          (wire) => {
            const [tool = ''] = extract(shown(wire), /Read a skill's files with `([^`]+)`, by their relative paths/)
            return call(tool, { path: 'references/style.md' })
          },
          ({ messages }) => {
            const text = messages.map((message) => message.text).join('\n')
            const [folder = ''] = extract(text, /Skill directory: (\S+)/)
            return readSkillFile(join(folder, 'references', 'style.md'))
          },
          rightPath,
          say(),
        ],
      })
      same('the tools that ran', ran(trial), ['Read'])
      contains('the result of the relative path', trial.resultOf('call_3_1'), STYLE)
      refusedWith(trial, 'call_4_1', 'RESOURCE_REFUSED')
      contains('the result of the path that was learned', trial.resultOf('call_5_1'), STYLE)
    },
  },
  {
    id: 'navigation-file-name',
    title: '[LLM-1, RES-2] names the file that a wrong path most likely means',
    async run(bench) {
      const wrong = ['style.md', 'release-notes/references/style.md', 'references/styles.md', '/references/style.md']
      const reads = inTwoSteps(
        'wrong',
        wrong.map((path) => readSkillFile(path)),
      )
      const trial = await playTrial(bench, { script: [activate('release-notes'), ...reads, rightPath, say()] })
      for (const [index, path] of wrong.entries()) {
        const reason = refusalIn(trial.resultOf(`wrong_${index}`))?.reason ?? ''
        contains(`the refusal of ${path}`, reason, 'Did you mean "references/style.md"?')
      }
      contains('the result of the path that was suggested', trial.resultOf('call_4_1'), STYLE)
    },
  },
  {
    id: 'navigation-script-read',
    title: '[LLM-1, GATE-4] tells a model that reads a script the tool and the path by which it is run',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [
          activate('release-notes'),
          read('scripts/collect.sh'),
          runIt,
          readSkillFile('scripts/collect.sh'),
          runIt,
          say(),
        ],
      })
      const command = join(FIXTURE_SKILLS, 'release-notes', 'scripts', 'collect.sh')
      same(
        'what ran',
        trial.runs.map(({ tool, input }) => [tool, input]),
        [
          ['Bash', { command }],
          ['Bash', { command }],
        ],
      )
    },
  },
  {
    id: 'navigation-tool-case',
    title:
      '[LLM-1, GATE-2] carries out calls of tools whose names are written in another case, and shows them like any other',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [
          call('ACTIVATE_SKILL', { name: 'release-notes' }),
          call('Read_Skill_Resource', { path: 'references/style.md' }),
          call('BASH', { command: 'git status' }),
          call('read', { file_path: 'a.md' }),
          call('Deactivate_skill', {}),
          say(),
        ],
      })
      contains('the first result', trial.resultOf('call_1_1'), 'Leave out what no user notices.')
      contains('the second result', trial.resultOf('call_2_1'), STYLE)
      same('the third result', trial.resultOf('call_3_1'), 'ran: git status')
      same('the fourth result', trial.resultOf('call_4_1'), 'content of a.md')
      same('the tools that ran', ran(trial), ['Bash', 'Read'])
      same('the active skills', await trial.active(), [])
    },
  },
  {
    id: 'navigation-arguments-as-text',
    title: '[LLM-1, ADPT-4] tells a model that writes its arguments as a string what form they must have',
    async run(bench) {
      for (const [tool, input] of CALLS) {
        const trial = await playTrial(bench, { script: [asText(tool, input), again(input), say()] })
        if (trial.requests.length === 3) refusedWith(trial, 'call_1_1', 'INPUT_INVALID')
        const seen = [await trial.active(), trial.runs.map((run) => run.input)]
        same(`what came of ${tool}`, seen, tool === 'Read' ? [[], [input]] : [['safe-edit'], []])
      }
    },
  },
  {
    id: 'navigation-skill-name',
    title: '[LLM-1, ACT-2] names the skill that a wrong name most likely means',
    async run(bench) {
      const wrong = ['safe_edit', 'Safe-Edit', 'safe-edti', 'history']
      const script = [
        ...inTwoSteps(
          'wrong',
          wrong.map((name) => activate(name)),
        ),
        rightName,
        say(),
      ]
      const trial = await playTrial(bench, { script })
      for (const [index, name] of ['safe-edit', 'safe-edit', 'safe-edit', 'git-history'].entries()) {
        const { reason } = refusedWith(trial, `wrong_${index}`, 'SKILL_NOT_FOUND')
        contains(`the refusal of ${wrong[index]}`, reason, `Did you mean "${name}"?`)
      }
      contains('the result of the last name', trial.resultOf('call_3_1'), '<skill_content name="git-history"')
    },
  },
])
