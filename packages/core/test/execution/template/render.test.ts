import { assert, asyncProperty, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '@repertoire/test-servers/properties'
import { createSkillExecutor } from '../../../src/index.ts'

const execute = (template: string, input: Record<string, unknown>) =>
  createSkillExecutor().execute({ name: 'page', definition: { type: 'template', template }, input })

/** The text that a template makes, or why it makes none. */
async function render(template: string, input: Record<string, unknown> = {}): Promise<string> {
  const outcome = await execute(template, input)
  if (!outcome.ok) return `problem: ${outcome.reason.replace(/^The template .*?\. (?=[A-Z])/, '')}`
  return outcome.value.type === 'template' ? outcome.value.text : expect.unreachable()
}

const problemOf = async (template: string): Promise<string | undefined> =>
  (await createSkillExecutor().check({ name: 'page', definition: { type: 'template', template } }))?.reason

describe('a template', () => {
  it('[RUN-4] is rendered with its parameters', async () => {
    const text =
      'Hi {{ name }}!{% for item in items %} {{ forloop.index }}:{{ item }}{% endfor %}{% if no %}x{% endif %}'
    expect(await render(text, { name: 'Ann', items: ['a', 'b'], no: null })).toBe('Hi Ann! 1:a 2:b')
    expect(await render('{{ o }} {{ l }} {{ n }}', { o: { a: 1 }, l: [1, 'b'], n: 3 })).toBe('{"a":1} [1,"b"] 3')
  })

  it('[RUN-4] fails on an unknown variable, with its line', async () => {
    expect(await render('a\nb {{ nmae }}', { name: 'x' })).toBe(
      'problem: Line 2 of its template: It uses the variable "nmae", which is not there.',
    )
    expect(await render('{{ o.b }}', { o: { a: 1 } })).toMatch(/^problem: /)
  })

  it.each(['constructor', 'a.constructor', '__proto__', 'a.__proto__', 'toString', 'a.toString', 'o["constructor"]'])(
    '[ABUSE-57] has no variable {{ %s }}, which every object inherits',
    async (name) => {
      expect(await render(`{{ ${name} }}`, { a: 'x', o: { b: 1 } })).toMatch(/^problem: .*which is not there/)
    },
  )

  it('[ABUSE-58] inserts values unchanged, and does not render them again', async () => {
    await assert(
      asyncProperty(string({ unit: anyCharacter }), async (value) => {
        expect(await render('[{{ a }}]', { a: value, b: 'no' })).toBe(`[${value}]`)
      }),
      { numRuns: 100 },
    )
    for (const value of ['{{ b }}', '{% raw %}', '$&', '$1', "$'", '{{a}}']) {
      expect(await render('{{ a }}{{ a }}', { a: value, b: 'no' })).toBe(value + value)
    }
  })

  it.each([
    "{% include 'package.json' %}",
    "{% include '/etc/passwd' %}",
    "{% render 'package.json' %}",
    "{% layout 'package.json' %}{% endlayout %}",
    '{% include a %}',
  ])('[ABUSE-59] reads no file: %s', async (template) => {
    expect(await render(template, { a: 'package.json' })).toMatch(/^problem: Line 1 .*not found/)
  })

  it('[ABUSE-59] runs no commands and no code', async () => {
    for (const text of ['$(id)', '`id`', '<%= 1 + 1 %>', '#{1 + 1}', '${1 + 1}']) {
      expect(await render(`${text} {{ a }}`, { a: text })).toBe(`${text} ${text}`)
    }
  })

  it.each([
    '{% for i in (1..100000000) %}a{% endfor %}',
    '{% assign s = "aaaaaaaaaaaaaaaa" %}{% for i in (1..60) %}{% assign s = s | append: s %}{% endfor %}{{ s }}',
    '{% capture s %}aaaaaaaaaa{% endcapture %}{% for i in (1..60) %}{% capture s %}{{s}}{{s}}{% endcapture %}{% endfor %}',
    '{% for i in (1..9000) %}{% for j in (1..9000) %}{% for k in (1..9000) %}{% endfor %}{% endfor %}{% endfor %}',
    `{% for i in (1..1100) %}${'a'.repeat(1_000)}{% endfor %}`,
  ])('[ABUSE-60] is stopped if it is too large or takes too long: %#', async (template) => {
    expect(await render(template)).toMatch(
      /^problem: .*(?:makes more than it may|takes longer than 1000 ms|of at most 1000000\.$)/,
    )
  })

  it.each([
    'sort: "n"',
    'map: "n"',
    'where: "n", 2',
    'where_exp: "i", "i == a"',
    'group_by_exp: "i", "i"',
    'sample',
    'uniq',
  ])(
    '[ABUSE-60] has no filter that goes through a list more than once, or reads a property that a template names: %s',
    async (filter) => {
      const name = filter.split(':')[0]
      expect(await render(`{{ a | ${filter} }}`, { a: [1] })).toContain(`undefined filter: ${name}`)
      expect(await render('{{ a | reverse | join: "-" }}', { a: [1, 2] })).toBe('2-1')
    },
  )

  it('[RUN-4] supports filters and operators', async () => {
    const template =
      '{% for item in a %}{{ item.b | upcase }}{% endfor %} {{ a | size }} {{ "2026-11-29" | date: "%d.%m." }} ' +
      '{% if "abc" contains "b" and a.size == 2 and not false %}yes{% endif %} {{ "<" | escape }} {{ c | default: "d" }}'
    expect(await render(template, { a: [{ b: 'y' }, { b: 'x' }], c: null })).toBe('YX 2 29.11. yes &lt; d')
  })

  it.each(['{% if a %}', '{{ a | nope }}', '{% nope %}', '{{ a'])(
    '[RUN-4] is checked before it is used: %s',
    async (text) => {
      expect(await problemOf(`first\n${text}`)).toContain('Line 2 of its template: It is not a Liquid template')
      expect(await problemOf('fine {{ a }}')).toBeUndefined()
    },
  )
})
