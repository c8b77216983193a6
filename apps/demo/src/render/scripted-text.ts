import { visible, visibleLine, wrap } from 'repertoire/terminal'
import { FAULT } from '../fault.ts'
import type { ScriptedResult } from '../scripted-result.ts'
import { agreementText, all, filesSentence, runsSentence } from './agreement.ts'
import type { Screen } from './lines.ts'
import { leadText, nextText, paragraph } from './paragraphs.ts'
import { timeline } from './timeline.ts'

/** The story for a terminal: what it is, what happened, whether all agree, and what to try next. */
export function scriptedText(result: ScriptedResult, screen: Screen): string {
  const { task, broken, skills, withGit, runner, adapters, agreement, files, sandbox } = result
  const [first] = adapters
  const hasFailed = adapters.some(({ failure }) => failure !== undefined)
  const sentences =
    first === undefined || hasFailed
      ? []
      : [
          runsSentence(agreement, adapters.length),
          `On disk: ${filesSentence(first, files)}.`,
          ...adapters.flatMap(({ adapter, hidesTools }) =>
            hidesTools === false ? [`${adapter} cannot hide tools, so its list of tools is not compared.`] : [],
          ),
        ]
  const repository = withGit ? 'git repository' : 'folder (there is no git here, so its commands fail)'
  return [
    leadText(adapters.length, screen, broken === undefined),
    [
      ...paragraph('Task', visible(task), screen),
      ...(broken === undefined ? [] : paragraph('Fault', `${broken} is broken on purpose: ${FAULT}`, screen)),
      ...paragraph('Model', 'a script, over HTTP on this machine: no key, no network', screen),
      ...paragraph('Skills', `${skills}, verified: every file is as skills-lock.json has it`, screen),
      ...paragraph('Tools', `real ones, each adapter in a temporary ${repository} of its own`, screen),
      ...paragraph('Scripts', `run by a ${runner.isolation.name}, in memory: no host files, no network`, screen),
      ...paragraph('Details', 'what the model was shown; --json has all of it', screen),
    ].join('\n'),
    timeline(adapters, screen).trimEnd(),
    [agreementText(adapters, agreement, sentences, screen), sandboxText(sandbox, screen)].join('\n'),
    nextText('scripted', screen),
  ]
    .map((block) => `${block}\n`)
    .join('\n')
}

/** What came of the script in the system's sandbox. */
function sandboxText(sandbox: ScriptedResult['sandbox'], screen: Screen): string {
  if ('absent' in sandbox) {
    return wrap(visibleLine(`The system's sandbox does not work here: ${sandbox.absent}`), screen.width - 2)
      .map((line, index) => screen.paint.dim(`${index === 0 ? '–' : ' '} ${line}`))
      .join('\n')
  }
  const { runner, adapters, agreement } = sandbox
  const hasFailed = adapters.some(({ failure }) => failure !== undefined)
  const sentence = `In ${runner.isolation.name} too, the script printed the same${adapters.length === 1 ? '' : `, in ${all(adapters.length)}`}.`
  return agreementText(adapters, agreement, hasFailed ? [] : [sentence], screen)
}
