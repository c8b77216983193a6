/**
 * The process in which one statement for SQLite runs. A statement blocks its thread, and neither a timer nor the end of a
 * worker interrupts it: only a process can be ended at the deadline. It gets everything through its standard input, and
 * writes one answer.
 */
import { Buffer } from 'node:buffer'
import process from 'node:process'
import { runSqlite, type SqliteJob } from './sqlite-statement.ts'

const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
const job = JSON.parse(Buffer.concat(chunks).toString()) as SqliteJob
process.stdout.write(JSON.stringify(runSqlite(job)))
