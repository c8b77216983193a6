import { activate, checks, type Scenario, say } from '@repertoire/conformance'

const scenario: Scenario = {
  id: 'activation-mine',
  area: 'activation',
  level: 'MUST',
  title: '[ACT-1] shows instructions in the words of core',
  setup: { skills: { careful: { body: 'Look first.', fields: ['allowed-tools: Read'] } } },
  script: [activate('careful'), say()],
  turns: ['Hello', { restart: {} }, 'Go on'],
}

export const all = [...checks, scenario]
