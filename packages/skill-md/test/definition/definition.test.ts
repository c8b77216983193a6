import { describe, expect, it } from 'vitest'
import { parseSkill } from '../../src/internal.ts'
import { parseDocument, parseMetadata } from '@repertoire/skill-md/internal/parser'

/** The definition that a body gives, or the errors; the body begins on line 6. */
async function define(type: string, body: string) {
  const document = await parseSkill(`---\nname: a\ndescription: b\ntype: ${type}\n---\n${body}`)
  const errors = document.diagnostics.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return document.definition
  expect(document.manifest).toBeUndefined()
  expect(document.definition).toBeUndefined()
  expect(document.body).toBeUndefined()
  for (const { path, hint } of errors) {
    expect(path).toBe('SKILL.md')
    expect(hint).toMatch(/\.$/)
  }
  return errors.map(({ code, line, message }) => `${line} ${code} ${message}`)
}

const block = (text: string, language = '') => `\`\`\`${language}\n${text}\n\`\`\`\n`
const script = (text: string, language?: string) => ({ type: 'script', script: text, ...(language && { language }) })

describe('the definition of an instruction', () => {
  it.each(['', '\n', 'Text.', '---\n---\n', '```\nnot closed', '```yaml\nsteps: 1\n```\n', 'a\r\nb\r\n', '\uFEFF# A'])(
    '[MAN-12] is the whole body, byte for byte: %j',
    async (body) => {
      expect(await define('instruction', body)).toEqual({ type: 'instruction', content: body })
    },
  )
})

describe('the definition of a script', () => {
  it('[MAN-12] is the text of the first fenced code block, and its language that of the block', async () => {
    const body = `# Say hello\n\nRun it.\n\n${block('echo hi\n\n  echo there', 'bash title="x"')}\n${block('second', 'sh')}`
    expect(await define('script', body)).toEqual(script('echo hi\n\n  echo there', 'bash'))
    expect(await define('script', block('echo hi'))).toEqual(script('echo hi'))
  })

  it('[MAN-12] has line feeds, whatever ends the lines of the file', async () => {
    expect(await define('script', '```sh\r\none\r\n\r\ntwo\r\n```\r\n')).toEqual(script('one\n\ntwo', 'sh'))
  })

  it.each([
    ['a longer fence', '````sh\n```\na\n```\n````', script('```\na\n```', 'sh')],
    ['a fence of tildes, with backticks in it', '~~~sh\n```\na\n~~~~', script('```\na', 'sh')],
    ['a closing fence of the other mark is content', '```\na\n~~~\n```', script('a\n~~~')],
    ['a closing fence with a word is content', '```\na\n``` sh\n```', script('a\n``` sh')],
    ['an indented fence, whose indentation is taken off', '   ```\n   a\n     b\n c\n  ```', script('a\n  b\nc')],
    ['a blank between the fence and the language', '``` \t python \na\n```  \t', script('a', 'python')],
    ['no final newline', '```\na\n```', script('a')],
    ['an indented fence in its text', '```\na\n    ```\n```', script('a\n    ```')],
    ['lines that are blank at its end', '```\na\n\n\n```', script('a\n\n')],
  ])('[MAN-12] knows the fences of CommonMark: %s', async (_, body, definition) => {
    expect(await define('script', body)).toEqual(definition)
  })

  it.each([
    ['a fence that is indented like code', `    \`\`\`\n    no\n    \`\`\`\n\n${block('yes')}`],
    ['a span that looks like a fence', `\`\`\` no \`\`\`\n\n${block('yes')}`],
    ['two backticks', `\`\`\nno\n\`\`\n\n${block('yes')}`],
    ['a comment', `<!-- old:\n${block('no')}-->\n${block('yes')}`],
    ['a comment of one line', `<!-- old -->\n${block('yes')}`],
  ])('[MAN-12] takes for no block %s', async (_, body) => {
    expect(await define('script', body)).toEqual(script('yes'))
  })

  it.each([
    ['yaml', 'script: |\n  echo hi\nlanguage: bash', script('echo hi\n', 'bash')],
    ['yml', 'script: echo hi', script('echo hi')],
    ['YAML', 'script: 2024-01-01', script('2024-01-01')],
    ['json', '{\n\t"language": "bash",\n\t"script": "echo hi\\n"\n}', script('echo hi\n', 'bash')],
    ['', '{ "script": "echo hi" }', script('echo hi')],
  ])('[MAN-12] is the value of "script" in a mapping: a block of %j', async (language, text, definition) => {
    expect(await define('script', block(text, language))).toEqual(definition)
  })

  it.each([
    ['a mapping without the key', 'yaml', 'on: push\njobs: {}'],
    ['a text that is not YAML', 'yaml', '- {{ name }}: *x\n\tb'],
    ['a document that YAML allows and a manifest does not', 'yaml', 'a: &x 1\nb: *x'],
    ['a list', 'json', '["script"]'],
    ['a block of another language', 'python', 'script: x'],
  ])('[MAN-12] is the text itself where the block is %s', async (_, language, text) => {
    expect(await define('script', block(text, language))).toEqual(script(text, language))
  })
})

describe('the definition of a template', () => {
  it('[MAN-12] is the text of the first fenced code block', async () => {
    const text = 'Dear {{ name }},\n\n{{ text }}'
    for (const language of ['', 'text', 'markdown', 'yaml', 'handlebars']) {
      expect(await define('template', `Fill it in:\n\n${block(text, language)}`)).toEqual({
        type: 'template',
        template: text,
      })
    }
  })

  it('[MAN-12] is the value of "template" in a mapping', async () => {
    const definition = { type: 'template', template: 'Dear {{ name }}\n' }
    expect(await define('template', block('template: |\n  Dear {{ name }}', 'yaml'))).toEqual(definition)
    expect(await define('template', block('{"template": "Dear {{ name }}\\n"}', 'json'))).toEqual(definition)
    expect(await define('template', block('script: x', 'yaml'))).toEqual({ type: 'template', template: 'script: x' })
  })
})

describe('the definition of a composite', () => {
  const steps = [
    { tool: 'Read', parameters: { path: 'a.md', lines: [1, 2], deep: { x: null } } },
    { tool: 'mcp__git__commit', parameters: {}, description: 'Commit it.' },
  ]
  const yaml =
    'steps:\n  - tool: Read\n    parameters:\n      path: a.md\n      lines: [1, 2]\n      deep: {x: }\n' +
    '  - description: Commit it.\n    tool: mcp__git__commit\n    parameters:\n'

  it('[MAN-12] is the steps of a mapping, or a bare list, in YAML or JSON', async () => {
    const bare = yaml.replace('steps:\n', '')
    for (const body of [
      block(yaml, 'yaml'),
      block(yaml),
      block(bare, 'yml'),
      block(JSON.stringify({ steps }, undefined, '\t'), 'json'),
      block(JSON.stringify(steps), 'json'),
    ]) {
      expect(await define('composite', body)).toEqual({ type: 'composite', steps })
    }
  })

  it('[MAN-12] is in the first block that fits', async () => {
    const body = `${block('ls', 'sh')}${block('Some text.')}${block('{"an": "example"}', 'json')}${block('- tool: Bash', 'yaml')}`
    const wanted = { type: 'composite', steps: [{ tool: 'Bash', parameters: {} }] }
    expect(await define('composite', body + block('- tool: Read', 'yaml'))).toEqual(wanted)
  })

  it.each([
    ['steps: x', '7 DEFINITION_INVALID The value of "steps" is text, not a list.'],
    ['steps: []', '7 DEFINITION_INVALID The plan has no step.'],
    ['[]', '7 DEFINITION_INVALID The plan has no step.'],
    ['steps:\n- Read', '8 DEFINITION_INVALID Step 1 is text, not a mapping.'],
    ['- tool: Read\n- parameters: {}', '8 DEFINITION_INVALID Step 2 names no tool.'],
    ['- tool: ""', '7 DEFINITION_INVALID Step 1 names no tool.'],
    ['- tool: 5', '7 DEFINITION_INVALID Step 1 names no tool.'],
    ['- tool: "a\\u200Bb"', '7 DEFINITION_INVALID Step 1 has U+200B in its tool, which is not shown.'],
    ['- tool: Read\n  parameters: [a]', '8 DEFINITION_INVALID Step 1 has a list as "parameters".'],
    ['- tool: Read\n  description: [a]', '8 DEFINITION_INVALID Step 1 has a list as "description".'],
    ['- tool: Read\n  name: first', '8 DEFINITION_INVALID Step 1 holds "name", which is not known.'],
    ['- tool: Read\n  when: never', '8 DEFINITION_INVALID Step 1 holds "when", which is not known.'],
    [
      'steps:\n- tool: Read\nretries: 3',
      '9 DEFINITION_INVALID The block holds "retries" beside "steps", which is not known.',
    ],
    ['- tool: Read\n  tool: Write', '8 DEFINITION_INVALID The key "tool" is already on line 7.'],
    ['- tool: &a Read\n- tool: *a', '7 DEFINITION_INVALID Anchors ("&name") are not accepted.'],
    [
      '- tool: Read\n  parameters: {__proto__: 1}',
      '8 DEFINITION_INVALID The key "__proto__" is reserved by JavaScript.',
    ],
  ])('[MAN-12] is refused with line and reason: %j', async (text, error) => {
    expect(await define('composite', block(text, 'yaml'))).toEqual([error])
  })

  it('[MAN-12] is not searched after a block that is not YAML', async () => {
    const [error] = (await define('composite', block('steps: [', 'yaml') + block('- tool: Read', 'yaml'))) as string[]
    expect(error).toMatch(/^7 DEFINITION_INVALID The code block is not valid YAML/)
    expect(await define('composite', block('steps: [') + block('- tool: Read', 'yaml'))).toEqual([error])
    expect(await define('composite', block('a: [') + block('- tool: Read', 'yaml'))).toMatchObject({
      type: 'composite',
    })
  })

  it('[MAN-12, MAN-15] is not looked for behind a hundred blocks', async () => {
    const plan = block('- tool: Read', 'yaml')
    expect(await define('composite', block('{a: [').repeat(99) + plan)).toMatchObject({ type: 'composite' })
    expect(await define('composite', block('{a: [').repeat(100) + plan)).toEqual([
      expect.stringContaining('DEFINITION_MISSING'),
    ])
  })

  it('[MAN-12, MAN-15] is read within the bounds of a frontmatter', async () => {
    const deep = `- tool: Read\n  parameters: {a: ${'['.repeat(40)}${']'.repeat(40)}}`
    const long = '- tool: Read\n'.repeat(3000)
    for (const text of [deep, long]) {
      const [error] = (await define('composite', block(text, 'yaml'))) as string[]
      expect(error).toMatch(/DEFINITION_INVALID The code block is nested deeper than 32 levels or holds more than 2000/)
    }
  })
})

describe('a definition that is not there', () => {
  it.each([
    ['script', '', 'The type is "script", and the body has no fenced code block.'],
    ['template', '# Text\n\n    code\n', 'The type is "template", and the body has no fenced code block.'],
    ['composite', '- tool: Read\n', 'The type is "composite", and the body has no fenced code block.'],
    ['composite', block('ls', 'sh'), 'The type is "composite", and no code block holds a plan.'],
    ['composite', block('a: 1', 'yaml'), 'The type is "composite", and no code block holds a plan.'],
  ])('[MAN-12, MAN-2] is an error where the body begins, with what to add: %s %j', async (type, body, message) => {
    expect(await define(type, body)).toEqual([`6 DEFINITION_MISSING ${message}`])
  })

  it.each([
    ['script', '```sh\necho hi\n', '6 DEFINITION_INVALID The code block that opens here is not closed.'],
    [
      'composite',
      'A\n~~~yaml\n- tool: Read\n```',
      '7 DEFINITION_INVALID The code block that opens here is not closed.',
    ],
    ['script', block('  \n\t'), '6 DEFINITION_INVALID The script is empty.'],
    ['template', '```\n```\n', '6 DEFINITION_INVALID The template is empty.'],
    ['script', block('script: ""', 'yaml'), '7 DEFINITION_INVALID The value of "script" is empty, not text.'],
    ['script', block('script: [a]', 'yaml'), '7 DEFINITION_INVALID The value of "script" is a list, not text.'],
    ['template', block('template: 5', 'yaml'), '7 DEFINITION_INVALID The value of "template" is a number, not text.'],
    [
      'script',
      block('script: a\nlanguage: [b]', 'yaml'),
      '8 DEFINITION_INVALID The value of "language" is not a word.',
    ],
    [
      'template',
      block('template: a\nkind: x', 'yaml'),
      '8 DEFINITION_INVALID The block holds "kind" beside "template", which is not known.',
    ],
  ])('[MAN-12, MAN-2] is an error with its line: %s %j', async (type, body, error) => {
    expect(await define(type, body)).toEqual([error])
  })

  it('[MAN-12] is an error where a mapping was meant but is not YAML, and is not read as a script', async () => {
    for (const text of ['script: "a', '{"script": "a" "b"}', "\n'script': ["]) {
      expect(await define('script', block(text, 'yaml'))).toEqual([expect.stringMatching(/DEFINITION_INVALID/)])
    }
  })

  it('[MAN-12, MAN-10] leaves the manifest readable without the body', async () => {
    const bytes = new TextEncoder().encode('---\nname: a\ndescription: b\ntype: script\n---\n')
    const context = { path: 'SKILL.md', fileName: 'SKILL.md', profile: 'default' } as const
    expect((await parseMetadata(bytes, bytes.length, context)).manifest?.type).toBe('script')
    expect((await parseDocument(bytes, context)).manifest).toBeUndefined()
  })
})

describe('hidden characters in a definition', () => {
  it('[ABUSE-13] are reported where an escape writes what the body does not show', async () => {
    const text = '---\nname: a\ndescription: b\ntype: script\n---\n```json\n{"script": "echo \\u202Ehi"}\n```\n'
    const { diagnostics, definition } = await parseSkill(text)
    expect(definition).toEqual({ type: 'script', script: 'echo \u202Ehi' })
    expect(diagnostics).toMatchObject([{ code: 'HIDDEN_CHARACTERS', severity: 'warning', line: 6 }])
    const plain = await parseSkill(text.replace('\\u202E', '\u202E'))
    expect(plain.diagnostics).toHaveLength(1)
  })
})
