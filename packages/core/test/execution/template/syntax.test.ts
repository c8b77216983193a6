import { describe, expect, it } from 'vitest'
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
  it.each([
    '{{ name X }}',
    '{{ name, X }}',
    '{{ name) }}',
    '{{ name. }}',
    '{{ name.first. }}',
    '{{ a["b" c] }}',
    '{{ a[] }}',
    '{{ a ==  }}',
    '{{ == a }}',
    '{{ a | append: }}',
    '{{ a | append: "x", }}',
    '{{ a | append: "x", | upcase }}',
    '{{ a | }}',
    '{{ "a" "b" }}',
    '{{ .name }}',
    '{{ printf "%s" .Name }}',
    '{{}}',
    '{% if X > %}a{% endif %}',
    '{% if > X %}a{% endif %}',
    '{% if a b %}a{% endif %}',
    '{% if a and %}a{% endif %}',
    '{% if a, b %}a{% endif %}',
    '{% if a == "b %}a{% endif %}',
    '{% if a %}a{% else if b %}c{% endif %}',
    '{% if a %}a{% elsif %}c{% endif %}',
    '{% unless a b %}a{% endunless %}',
    '{% assign a = b c %}',
    '{% assign a b = c %}',
    '{% for i in a b %}{% endfor %}',
    '{% for i in a limti: 2 %}{% endfor %}',
    '{% for i in a limit 2 %}{% endfor %}',
    '{% case a b %}{% endcase %}',
    '{% case a %}{% when 1 2 %}{% endcase %}',
    '{% capture a b %}{% endcapture %}',
    '{% increment a b %}',
    '{% cycle "a" "b" %}',
    '{% echo a b %}',
    '{% liquid\n assign a = b c\n%}',
    '{% for i in a %}{% break now %}{% endfor %}',
  ])('[RUN-4] is refused where its engine would leave something out: %s', async (template) => {
    expect(await problemOf(`one\n${template}`)).toBeDefined()
    expect(await render(template, { a: [1], b: 2, c: 3, i: 1, X: 1, name: { first: 'Ann' } })).toMatch(/^problem: /)
  })

  it('[RUN-4] is refused with its line, and the place in words', async () => {
    expect(await problemOf('a\n\n{{ name X }}')).toContain(
      'Line 3 of its template: It is not a Liquid template that can be used here: "{{ name X }}" is not complete, or holds something that does not belong there.',
    )
  })

  it.each([
    ['{{ name }}{{name}}{{- name -}}', 'AnnAnnAnn'],
    ['{{ o.a.b }} {{ o["a"].b }} {{ o[key].b }} {{ list[0] }} {{ list.first }} {{ list[-1] }}', '1 1 1 x x y'],
    ['{{ "a{{b" }} {{ \'c\' }} {{ "q\\"q" }} {{ 1.5 }} {{ -2 }} {{ true }}', 'a{{b c q"q 1.5 -2 true'],
    ['{{ name | append: "!" | upcase | replace: "A", "B" }}', 'BNN!'],
    ['{{ none | default: "d", allow_false: true }}', 'd'],
    ['{% if name == "Ann" and list.size > 1 or not none %}y{% elsif name contains "A" %}n{% else %}o{% endif %}', 'y'],
    ['{% if name=="Ann" %}y{% endif %}', 'y'],
    ['{% unless none %}y{% endunless %}', 'y'],
    ['{% for i in list reversed limit:1 offset: 0 %}{{ i }}{% else %}none{% endfor %}', 'x'],
    ['{% for i in (1..3) %}{% if i == 2 %}{% continue %}{% endif %}{{ i }}{% endfor %}', '13'],
    ['{% case name %}{% when "Bob", "Ann" %}y{% when "Eve" or "Al" %}n{% else %}o{% endcase %}', 'y'],
    ['{% assign a = name | upcase %}{% capture b %}{{ a }}{% endcapture %}{{ b }}', 'ANN'],
    ['{% for i in list %}{% cycle "a", "b" %}{% cycle "g": "c", "d" %}{% endfor %}', 'acbd'],
    ['{% increment n %}{% increment n %}{% decrement m %}', '01-1'],
    ['{% raw %}{{ a b }}{% endraw %}{% comment %}{{ a b }}{% if > %}{% endcomment %}{% # a b %}', '{{ a b }}'],
    ['{% liquid\n assign a = name\n echo a\n # a note\n if a == "Ann"\n echo "!"\n endif\n%}', 'Ann!'],
    [
      '{% tablerow i in list cols: 2 %}{{ i }}{% endtablerow %}',
      '<tr class="row1"><td class="col1">x</td><td class="col2">y</td></tr>',
    ],
    ['{{ 2nd }} {{ ärger }} {{ a-b }}', '2 ä -'],
  ])('[RUN-4] is taken as it was: %s', async (template, text) => {
    const values = {
      name: 'Ann',
      o: { a: { b: 1 } },
      key: 'a',
      list: ['x', 'y'],
      none: null,
      '2nd': 2,
      ärger: 'ä',
      'a-b': '-',
    }
    expect(await render(template, values)).toBe(text)
  })

  it('[RUN-4, ABUSE-60] is judged in linear time', async () => {
    for (const part of ['1.5 ', 'a.b', '"a" | b: ', 'not ', '(', '[', "'", '1', ' ']) {
      expect(await problemOf(`{{ a ${part.repeat(5_000)} ! }}`)).toBeDefined()
      expect(await problemOf(`{% if a ${part.repeat(5_000)} ! %}{% endif %}`)).toBeDefined()
    }
  })
})
