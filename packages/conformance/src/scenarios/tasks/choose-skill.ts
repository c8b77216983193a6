import { lastAnswer, extract, reasonIn, told } from '../answers.ts'
import { contentText } from '../content-text.ts'
import type { Scenario } from '../scenario.ts'

/** Several similar skills, and only one is right. */
export const chooseSkill: Scenario = {
  id: 'choose-skill',
  title: 'chooses the right one of several similar skills',
  prompt:
    'I am sending a parcel to Norway. Which customs form does it need? Write the number of the form, and nothing else, to form.txt.',
  skills: () => ({
    ...customs('customs-eu', 'to the member states of the European Union', 'EU-0417', 'customs-efta for Norway'),
    ...customs('customs-uk', 'to the United Kingdom', 'UK-2290'),
    ...customs('customs-efta', 'to Iceland, Liechtenstein, Norway and Switzerland', 'EF-7731'),
    ...customs('customs-overseas', 'to other continents', 'OV-1058'),
  }),
  async judge({ read }) {
    const form = await read('form.txt')
    return form === 'EF-7731' ? undefined : `form.txt should contain EF-7731, but ${contentText(form)}`
  },
  weak: [
    { calls: [{ tool: 'activate_skill', input: { name: 'customs' } }] },
    // No skill has that name: takes the first one that the result names.
    (request) => {
      const name = extract(reasonIn(lastAnswer(request)), /The skills are: .*?(customs-eu)\b/)
      return { calls: [{ tool: 'activate_skill', input: { name } }] }
    },
    // Its instructions say that it is the wrong one, and it may be deactivated.
    (request) => {
      extract(lastAnswer(request), /(customs-efta) for Norway/)
      const tool = extract(told(request), /Call `([^`]+)` when its work is done/)
      return { calls: [{ tool, input: {} }] }
    },
    (request) => {
      extract(lastAnswer(request), /(no longer active)/)
      const name = extract(request.system, /(customs-efta)/)
      return { calls: [{ tool: 'activate_skill', input: { name } }] }
    },
    (request) => {
      const form = extract(lastAnswer(request), /form ([A-Z]+-\d+)/)
      return { calls: [{ tool: 'Write', input: { file_path: 'form.txt', content: form } }] }
    },
    { text: 'The number of the form is in form.txt.' },
  ],
}

function customs(name: string, where: string, form: string, other?: string): Readonly<Record<string, string>> {
  const elsewhere = other === undefined ? '' : `\nThis is not for other countries: see ${other}.\n`
  return {
    [`${name}/SKILL.md`]: `---
name: ${name}
description: Tells the customs form for parcels ${where}.
---

# Customs

Parcels ${where} need the form ${form}, in two copies.
${elsewhere}`,
  }
}
