import process from 'node:process'
import { openSkillStores } from '../../src/index.ts'
import { connect, type EngineName } from './places.ts'
import { work } from './work.ts'

/** One of several processes that work on the same skills: `worker.ts ENGINE ADDRESS WORKER ROUNDS`. */
const [name = '', address = '', worker = '', rounds = ''] = process.argv.slice(2)
const place = await connect(name as EngineName, address)
// As many others may come before: the time is for them.
const stores = await openSkillStores({ engine: place.engine, layer: 'personal', timeout: 120_000 })
const report = await work(stores.tenant('acme'), { worker: Number(worker), goesOn: (round) => round <= Number(rounds) })
// It ends when its report has been read: the end of a process may be noticed before what it sent last.
process.once('disconnect', () => process.exit(0))
process.send!(report)
