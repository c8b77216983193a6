import { join } from 'node:path'
import { memorySource } from '@repertoire/core'
import type { Bench, Trial } from '../check.ts'
import { FIXTURE_SKILLS } from '../fixture-skills.ts'
import type { CallStep } from '../endpoint/script.ts'
import { done, contains, ran, refusedWith, same } from './assertions.ts'
import { manifestOf } from './many-skills.ts'
import { activate, bash, call, deactivate, fetchPage, inTwoSteps, read, say, write } from './script-steps.ts'
import { checksOf, playTrial } from './define.ts'

/** A skill that only disallows, and one that allows what the first one disallows. */
const disallowingSkills = () =>
  memorySource({
    layer: 'project',
    skills: {
      careful: {
        'SKILL.md': manifestOf(
          'careful',
          'A skill.',
          'Body of careful.',
          'disallowed-tools: Write, Read(secrets/**), Bash(git push:*), WebFetch(domain:github.com)\n',
        ),
      },
      generous: {
        'SKILL.md': manifestOf(
          'generous',
          'A skill.',
          'Body of generous.',
          'allowed-tools: Write Read Bash WebFetch\n',
        ),
      },
    },
  })

const disallowedCalls = [
  write('a.md'),
  call('write', { file_path: 'a.md', content: 'x' }),
  read('docs/../secrets/key'),
  bash('git push'),
  bash('env git -C . push'),
  fetchPage('https://api.github.com/x'),
]

/** Makes calls under a skill, with the ids `tried_0`, `tried_1` …, and returns the trial. */
async function callsUnder(bench: Bench, skill: string, calls: readonly CallStep[]): Promise<Trial> {
  const trial = await bench.open({ script: [activate(skill), ...inTwoSteps('tried', calls), say()] })
  done(await trial.send('Hello'))
  return trial
}

const shell = (command: string) => bash(command)

/** What ran, by one of its arguments, sorted: calls of one message may begin in any order. */
function ranWith(trial: Trial, argument: string): readonly string[] {
  return trial.runs.map(({ input }) => String((input as Readonly<Record<string, unknown>>)[argument])).toSorted()
}

/** Rules about the arguments of calls. */
export const patternChecks = checksOf('gate', [
  {
    id: 'gate-shell-pattern',
    title: '[GATE-3, ABUSE-35] allows the commands of a prefix rule, and none that only look similar',
    async run(bench) {
      const allowed = ['git log', 'git log --oneline -20', "git show 'HEAD~1'", 'git blame src/a.ts']
      const refused = ['git push', 'git', 'gitlog', 'GIT log', './git log', 'git\u00a0log', 'npm test']
      const trial = await callsUnder(bench, 'git-history', [...allowed, ...refused].map(shell))
      same('the commands that ran', ranWith(trial, 'command'), allowed.toSorted())
      for (const index of refused.keys()) refusedWith(trial, `tried_${allowed.length + index}`, 'TOOL_NOT_ALLOWED')
    },
  },
  {
    id: 'gate-compound-commands',
    title: '[GATE-3, ABUSE-36, ABUSE-37, ABUSE-38, ABUSE-43] allows no compound or unparsable command by a prefix rule',
    async run(bench) {
      const commands = [
        'git log; rm -rf .',
        'git log && rm -rf .',
        'git log || rm -rf .',
        'git log | sh',
        'git log & rm -rf .',
        'git log\nrm -rf .',
        'git log $(rm -rf .)',
        'git log `rm -rf .`',
        'git log <(rm -rf .)',
        'git log > /etc/passwd',
        'git log << EOF\nx\nEOF',
        'GIT_PAGER="rm -rf ." git log',
        'git log "$(id)"',
        'git log ${x@P}',
        'git log "unclosed',
        `git log ${'a'.repeat(10_001)}`,
      ]
      const trial = await callsUnder(bench, 'git-history', commands.map(shell))
      same('the tools that ran', trial.runs, [])
      for (const index of commands.keys()) refusedWith(trial, `tried_${index}`, 'TOOL_NOT_ALLOWED')
    },
  },
  {
    id: 'gate-path-pattern',
    title: '[GATE-3] allows paths that match a pattern, and none that escape from its folder',
    async run(bench) {
      const allowed = ['docs/a.md', 'docs/deep/b.md', './docs/c.md']
      const refused = ['src/a.ts', 'docs/../src/a.ts', 'docs-evil/a.md', '/etc/passwd', 'docs/../../docs/a.md']
      const trial = await callsUnder(
        bench,
        'safe-edit',
        [...allowed, ...refused].map((path) => write(path)),
      )
      same('the paths that were written', ranWith(trial, 'file_path'), allowed.toSorted())
    },
  },
  {
    id: 'gate-url-pattern',
    title: '[GATE-3] allows the URLs of a domain rule, and no others',
    async run(bench) {
      const allowed = ['https://github.com/a/b/issues/1', 'https://api.github.com/x']
      const refused = [
        'https://github.com.evil.example/',
        'https://evil.example/github.com',
        'https://github.com@evil.example/',
        'file:///etc/passwd',
        'notgithub.com',
      ]
      const fetches = [...allowed, ...refused].map((url) => call('WebFetch', { url }))
      const trial = await callsUnder(bench, 'git-history', fetches)
      same('the addresses that were fetched', ranWith(trial, 'url'), allowed.toSorted())
    },
  },
  {
    id: 'gate-disallowed',
    title:
      '[MAN-7, GATE-5] refuses what an active skill disallows, whatever another one allows, until it is deactivated, and nothing else',
    async run(bench) {
      const others = [read('docs/a.md'), bash('git log'), fetchPage()]
      const script = [
        activate('careful'),
        ...inTwoSteps('alone', [...disallowedCalls, ...others]),
        activate('generous'),
        ...inTwoSteps('both', disallowedCalls),
        deactivate(),
        deactivate(),
        write('a.md'),
        say(),
      ]
      const trial = await playTrial(bench, { script, sources: [disallowingSkills()] })
      for (const index of disallowedCalls.keys()) {
        refusedWith(trial, `alone_${index}`, 'TOOL_NOT_ALLOWED')
        refusedWith(trial, `both_${index}`, 'TOOL_NOT_ALLOWED')
      }
      same('the tools that ran', ran(trial).toSorted(), ['Bash', 'Read', 'WebFetch', 'Write'])
    },
  },
  {
    id: 'gate-disallowed-resumed',
    needs: ['resume'],
    title: '[MAN-7, ACT-15] refuses what an active skill disallows in a fresh process too',
    async run(bench) {
      const sources = [disallowingSkills()]
      const first = await playTrial(bench, { script: [activate('careful'), say()], sources })
      // With new ids, since the ids of the first script's calls are still in the conversation.
      const late = inTwoSteps('late', disallowedCalls)
      const saved = await first.save()
      const second = await bench.open({ script: [...late, say()], sources, saved })
      done(await second.send('Go on'))
      same('the tools that ran', second.runs, [])
      for (const index of disallowedCalls.keys()) refusedWith(second, `late_${index}`, 'TOOL_NOT_ALLOWED')
    },
  },
  {
    id: 'gate-script-read',
    title: '[GATE-4] refuses to read a script of an active skill with a read tool, and says how to run it',
    async run(bench) {
      const absolute = join(FIXTURE_SKILLS, 'release-notes', 'scripts', 'collect.sh')
      const paths = [absolute, 'scripts/collect.sh', absolute.replace('/scripts/', '/references/../scripts/')]
      const script = [activate('release-notes'), ...paths.map((path) => read(path)), read('README.md'), say()]
      const trial = await playTrial(bench, { script })
      for (const index of paths.keys())
        contains(
          'the reason',
          refusedWith(trial, `call_${index + 2}_1`, 'SCRIPT_READ_BLOCKED').reason,
          `Run it with "Bash": \`${absolute}\``,
        )
      same(
        'the files that were read',
        trial.runs.map(({ input }) => input),
        [{ file_path: 'README.md' }],
      )
    },
  },
])
