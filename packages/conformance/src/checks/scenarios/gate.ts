import { join } from 'node:path'
import {
  activate,
  bash,
  call,
  deactivate,
  fetchPage,
  read,
  readSkillFile,
  say,
  together,
  write,
} from '../../oracle/steps.ts'
import { FIXTURE_SKILLS } from '../../fixture-skills.ts'
import { inTasks, RULED, scenariosOf, skill, tool, withTools } from './define.ts'

const GITHUB = 'https://github.com/a/b'

/** What active skills let the model do, and what it may not even though it tries. */
export const gateScenarios = scenariosOf('gate', [
  {
    id: 'gate-rules',
    title:
      '[GATE-1, GATE-3, GATE-5, GATE-7, ABUSE-35] runs what the rules of the active skill allow, and refuses everything else in the words of core, in each call of a message',
    setup: { skills: RULED },
    script: [
      write('src/0.ts'),
      together(activate('docs'), write('src/1.ts'), deactivate()),
      together(
        read('a'),
        write('docs/a.md', ''),
        write('docs/../src/a.ts'),
        write('docsx/a.md'),
        fetchPage(GITHUB),
        fetchPage('https://example.com/?github.com'),
      ),
      together(bash('ls'), call('write', { file_path: 'docs/b.md', content: 'x' }), call('READ', { file_path: 'b' })),
      together(deactivate(), write('src/2.ts')),
      together(write('src/3.ts'), bash('ls'), bash('ls')),
      together(activate('git'), bash('git log')),
      together(
        bash('git log -3'),
        bash('git log; id'),
        bash('git logx'),
        bash('git diff $(id)'),
        bash('git status'),
        call('bash', { command: 'git diff' }),
      ),
      say(),
      bash('rm a'),
      say(),
    ],
    turns: ['Hello', 'Go on'],
  },
  {
    id: 'gate-stack',
    title: '[GATE-6, ACT-6] allows what every active skill allows, until each is left, and shows what is left of it',
    setup: { skills: RULED },
    script: [
      together(activate('git'), activate('free')),
      together(bash('git log'), write('a'), fetchPage()),
      activate('never'),
      together(fetchPage(GITHUB), bash('rm a'), bash('git log')),
      activate('docs'),
      together(bash('git log'), read('a'), write('docs/a.md'), deactivate('git')),
      deactivate('docs'),
      together(deactivate(), deactivate('free')),
      together(bash('git log'), bash('ls')),
      together(deactivate('git'), deactivate()),
      together(activate('empty'), deactivate()),
      together(bash('ls'), read('a')),
      together(deactivate('unknown'), deactivate()),
      bash('ls'),
      say(),
    ],
  },
  {
    id: 'gate-calls',
    title:
      "[GATE-1, GATE-3, GATE-4, GATE-5, RES-2, RES-3, ADPT-4, ADPT-10, LLM-1, ABUSE-24, ABUSE-36, ABUSE-44] judges unknown tools, odd inputs, those of the host's MCP server, tools that throw or take too long, and files of skills, in the words of core",
    ...inTasks(
      {
        script: [
          together(call('rm_rf', { path: '/' }), bash('ls')),
          call('skill_safe-edit'),
          together(readSkillFile('references/style.md'), call('deactivate_skill', { name: 'x' })),
          activate('release-notes'),
          together(
            readSkillFile('references/style.md', { from: 3, to: 4 }),
            readSkillFile('references/none.md'),
            readSkillFile('../safe-edit/SKILL.md'),
            read(join(FIXTURE_SKILLS, 'release-notes/scripts/collect.sh')),
            read('scripts/collect.sh'),
          ),
          say('I went on.'),
        ],
      },
      {
        setup: {
          tools: withTools(
            tool('mcp__docs__search', (input) => ({ content: [{ type: 'text', text: 'found' }], input }), {
              query: { type: 'string' },
            }),
            tool('mcp__docs__delete', () => 'deleted'),
            tool('mcp__mail__send', () => 'sent'),
          ),
          skills: { docs: skill('Body of docs.', 'allowed-tools: Read Bash(git log:*) mcp__docs__search') },
        },
        script: [
          call('mcp__mail__send'),
          activate('docs'),
          together(call('mcp__docs__search', { query: 'a' }), call('mcp__docs__delete'), read('a')),
          together(
            call('Bash', {}),
            call('Bash', { command: ['git', 'log'] }),
            call('Bash', { command: { toString: 'git log' } }),
            call('Bash', { cmd: null }),
          ),
          say(),
        ],
      },
      {
        setup: {
          tools: withTools(
            tool('Read', () => {
              throw new RangeError('The file is on fire: $& <x>\r\n\tand burns')
            }),
            tool('Odd', () => Promise.reject('no error')),
            // A tool with a limit of time: the signal of the run is not aborted.
            tool('Late', () => Promise.reject(new DOMException('Late took too long.', 'TimeoutError'))),
          ),
          skills: { careful: skill('Body of careful.', 'allowed-tools: Read Odd Late') },
        },
        script: [
          read('a'),
          activate('careful'),
          together(read('a'), read('a'), write('a')),
          write('b'),
          together(call('Odd'), call('Late')),
          write('c'),
          say('I went on.'),
        ],
      },
    ),
  },
  {
    id: 'gate-side-by-side',
    needs: ['parallelCalls'],
    title: '[ADPT-4] runs the calls of one message side by side, begun in their order, and gives each its own result',
    setup: () => sideBySide(),
    script: [
      together(
        call('Long', { word: 'b' }),
        call('Note', { word: 'd' }),
        call('Short', { word: 'a' }),
        call('Note', { word: 'c' }),
      ),
      say(),
    ],
  },
  {
    id: 'gate-side-by-side-asked',
    area: 'consent',
    needs: ['parallelCalls', 'suspend'],
    title: '[ADPT-4, ASK-5] runs the calls of one message side by side also after an answer',
    setup: () => ({ ...sideBySide(), consent: 'suspend', session: { policy: { ask: ['Long', 'Short'] } } }),
    script: [together(call('Long', { word: 'b' }), call('Note', { word: 'd' }), call('Short', { word: 'a' })), say()],
  },
])

/** How long a call waits for its neighbour, in milliseconds. */
const PATIENCE = 1_500

/** `Long` says whether `Short` has begun before it ended; `Note` returns the words so far. */
function sideBySide() {
  const words: unknown[] = []
  let begun = Promise.withResolvers<string>()
  const word = { word: { type: 'string' } }
  const note = (input: unknown): string => {
    words.push((input as { readonly word?: unknown }).word)
    return words.join(', ')
  }
  return {
    tools: [
      tool(
        'Long',
        async (input) => {
          note(input)
          begun = Promise.withResolvers<string>()
          const late = new Promise<string>((resolve) => setTimeout(() => resolve('alone'), PATIENCE))
          return Promise.race([begun.promise, late])
        },
        word,
      ),
      tool('Short', (input) => (begun.resolve('side by side'), note(input)), word),
      tool('Note', note, word),
    ],
  }
}
