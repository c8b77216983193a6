import { join } from 'node:path'
import { memorySource } from '@repertoire/core'
import type { Bench, Check, Trial } from '../check.ts'
import { FIXTURE_SKILLS } from '../fixture-skills.ts'
import { done, contains, ran, refusedWith, same } from './assertions.ts'
import { manifestOf } from './many-skills.ts'
import { activate, call, deactivate, say, write } from './script-steps.ts'

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
  call('Read', { file_path: 'docs/../secrets/key' }),
  call('Bash', { command: 'git push' }),
  call('Bash', { command: 'env git -C . push' }),
  call('WebFetch', { url: 'https://api.github.com/x' }),
]

/** Runs shell commands under a skill, one per step, and returns the trial. */
async function shellUnder(bench: Bench, skill: string, commands: readonly string[]): Promise<Trial> {
  const script = [activate(skill), ...commands.map((command) => call('Bash', { command })), say()]
  const trial = await bench.open({ script, maxSteps: script.length + 1 })
  done(await trial.send('Hello'))
  return trial
}

/** Rules about the arguments of calls. */
export const patternChecks: readonly Check[] = [
  {
    id: 'gate-shell-pattern',
    area: 'gate',
    level: 'MUST',
    title: '[GATE-3, ABUSE-35] allows the commands of a prefix rule, and none that only look similar',
    async run(bench) {
      const allowed = ['git log', 'git log --oneline -20', "git show 'HEAD~1'", 'git blame src/a.ts']
      const refused = ['git push', 'git', 'gitlog', 'GIT log', './git log', 'git\u00a0log', 'npm test']
      const trial = await shellUnder(bench, 'git-history', [...allowed, ...refused])
      same(
        'the commands that ran',
        trial.runs.map(({ input }) => (input as { command: string }).command),
        allowed,
      )
      for (const index of refused.keys()) refusedWith(trial, `call_${allowed.length + 2 + index}_1`, 'TOOL_NOT_ALLOWED')
    },
  },
  {
    id: 'gate-compound-commands',
    area: 'gate',
    level: 'MUST',
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
      const trial = await shellUnder(bench, 'git-history', commands)
      same('the tools that ran', trial.runs, [])
      for (const index of commands.keys()) refusedWith(trial, `call_${index + 2}_1`, 'TOOL_NOT_ALLOWED')
    },
  },
  {
    id: 'gate-path-pattern',
    area: 'gate',
    level: 'MUST',
    title: '[GATE-3] allows paths that match a pattern, and none that escape from its folder',
    async run(bench) {
      const allowed = ['docs/a.md', 'docs/deep/b.md', './docs/c.md']
      const refused = ['src/a.ts', 'docs/../src/a.ts', 'docs-evil/a.md', '/etc/passwd', 'docs/../../docs/a.md']
      const script = [activate('safe-edit'), ...[...allowed, ...refused].map((path) => write(path)), say()]
      const trial = await bench.open({ script, maxSteps: script.length + 1 })
      done(await trial.send('Hello'))
      same(
        'the paths that were written',
        trial.runs.map(({ input }) => (input as { file_path: string }).file_path),
        allowed,
      )
    },
  },
  {
    id: 'gate-url-pattern',
    area: 'gate',
    level: 'MUST',
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
      const script = [
        activate('git-history'),
        ...[...allowed, ...refused].map((url) => call('WebFetch', { url })),
        say(),
      ]
      const trial = await bench.open({ script, maxSteps: script.length + 1 })
      done(await trial.send('Hello'))
      same(
        'the addresses that were fetched',
        trial.runs.map(({ input }) => (input as { url: string }).url),
        allowed,
      )
    },
  },
  {
    id: 'gate-disallowed',
    area: 'gate',
    level: 'MUST',
    title:
      '[MAN-7, GATE-5] refuses what an active skill disallows, whatever another one allows, until it is deactivated, and nothing else',
    async run(bench) {
      const others = [
        call('Read', { file_path: 'docs/a.md' }),
        call('Bash', { command: 'git log' }),
        call('WebFetch', { url: 'https://example.com/' }),
      ]
      const script = [
        activate('careful'),
        ...disallowedCalls,
        ...others,
        activate('generous'),
        ...disallowedCalls,
        deactivate(),
        deactivate(),
        write('a.md'),
        say(),
      ]
      const trial = await bench.open({ script, sources: [disallowingSkills()], maxSteps: script.length + 1 })
      done(await trial.send('Hello'))
      const second = 2 + disallowedCalls.length + others.length + 1
      for (const index of disallowedCalls.keys()) {
        refusedWith(trial, `call_${2 + index}_1`, 'TOOL_NOT_ALLOWED')
        refusedWith(trial, `call_${second + index}_1`, 'TOOL_NOT_ALLOWED')
      }
      same('the tools that ran', ran(trial), ['Read', 'Bash', 'WebFetch', 'Write'])
    },
  },
  {
    id: 'gate-disallowed-resumed',
    area: 'gate',
    level: 'MUST',
    needs: ['resume'],
    title: '[MAN-7, ACT-15] refuses what an active skill disallows in a fresh process too',
    async run(bench) {
      const sources = [disallowingSkills()]
      const first = await bench.open({ script: [activate('careful'), say()], sources })
      done(await first.send('Hello'))
      // With new ids, since the ids of the first script's calls are still in the conversation.
      const late = disallowedCalls.map(({ calls }, index) => ({
        calls: calls.map((each) => ({ ...each, id: `late_${index}` })),
      }))
      const saved = await first.save()
      const second = await bench.open({ script: [...late, say()], sources, saved, maxSteps: late.length + 2 })
      done(await second.send('Go on'))
      same('the tools that ran', second.runs, [])
      for (const index of late.keys()) refusedWith(second, `late_${index}`, 'TOOL_NOT_ALLOWED')
    },
  },
  {
    id: 'gate-script-read',
    area: 'gate',
    level: 'MUST',
    title: '[GATE-4] refuses to read a script of an active skill with a read tool, and says how to run it',
    async run(bench) {
      const absolute = join(FIXTURE_SKILLS, 'release-notes', 'scripts', 'collect.sh')
      const paths = [absolute, 'scripts/collect.sh', absolute.replace('/scripts/', '/references/../scripts/')]
      const script = [
        activate('release-notes'),
        ...paths.map((path) => call('Read', { file_path: path })),
        call('Read', { file_path: 'README.md' }),
        say(),
      ]
      const trial = await bench.open({ script })
      done(await trial.send('Hello'))
      for (const index of paths.keys())
        contains(
          'the reason',
          refusedWith(trial, `call_${index + 2}_1`, 'SCRIPT_READ_BLOCKED').reason,
          `Run it with "Bash": ${absolute}`,
        )
      same(
        'the files that were read',
        trial.runs.map(({ input }) => input),
        [{ file_path: 'README.md' }],
      )
    },
  },
]
