/** Takes reports of real networks. A signature is checked over the bytes that came, before anything reads them. */
import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import type { Handlers } from '../../kernel/contract.ts'
import { parseDatetime } from '../../kernel/datetime.ts'
import { BadRequest, NotFound, TooLarge, Unauthorized } from '../../kernel/errors.ts'
import { RawAnswer } from '../../kernel/raw-answer.ts'
import { compileSchema, formatPath } from '../../kernel/schema.ts'
import { textProblem } from '../../kernel/text-check.ts'
import type { Static } from '../../kernel/type.ts'
import type { Database } from '../../storage/database.ts'
import type { Identify, TokenContext } from '../context.ts'
import { signatureProblem } from '../iot/public.ts'
import { recordReport } from './delivery.ts'
import { type kannelReportContract, ReportBody, type smsReportContract } from './report-contract.ts'
import { kannelStatus, REPORT_BYTES_MAX } from './report-rules.ts'
import type { ReportTokens } from './report-token.ts'
import type { MessageId } from './rules.ts'
import type { Report } from './transport.ts'

/** Who signs is known by the signature, which is over the body: the handler checks it. */
export const identifyGateway: Identify<undefined> = async () => undefined

/** `secret` is undefined where no gateway has one: then nothing is signed rightly. */
export function smsReportHandlers(
  secret: string | undefined,
): Handlers<typeof smsReportContract, TokenContext<undefined>> {
  return {
    async smsReportReceive({ body }, { database, header, now }) {
      const reportId = header('webhook-id')
      const signed = {
        id: reportId,
        timestamp: header('webhook-timestamp'),
        signature: header('webhook-signature'),
      }
      const problem = secret === undefined ? 'wrong' : signatureProblem(secret, signed, body, now)
      if (problem !== undefined) {
        throw new Unauthorized(
          `The signature of the report is ${problem}.`,
          `レポートの署名が無効です: ${problem}`,
        )
      }
      await record(database, { ...reportFromBytes(body, now), reportId: reportId ?? '' }, now)
      // A stream, since a text would get a Content-Length, which 204 must not have (RFC 9110, 8.6).
      return new RawAnswer(204, 'text/plain', {}, Readable.from([]))
    },
  }
}

export function identifyReport(tokens: ReportTokens): Identify<MessageId> {
  return async ({ params }) => {
    const messageId = tokens.read(params.token ?? '')
    if (messageId !== undefined) return messageId
    throw new Unauthorized(
      'This address was not given out here.',
      'このアドレスは発行されていません。',
    )
  }
}

export const kannelReportHandlers: Handlers<
  typeof kannelReportContract,
  TokenContext<MessageId>
> = {
  async kannelReportReceive({ query }, { database, holder: messageId, now }) {
    const { report: reportId } = query
    await record(database, { messageId, reportId, outcome: kannelStatus(reportId), at: now }, now)
    return {}
  },
}

async function record(database: Database, report: Report, now: Date): Promise<void> {
  if (await database.write((tx) => recordReport(tx, report, now))) return
  throw new NotFound('There is no such message.', 'そのメッセージは存在しません。')
}

const check = compileSchema(ReportBody)

function reportFromBytes(body: Buffer, now: Date): Report {
  if (body.length > REPORT_BYTES_MAX) {
    throw new TooLarge(
      `A report has at most ${REPORT_BYTES_MAX / 1024} KiB.`,
      `レポートは ${REPORT_BYTES_MAX / 1024} KiB 以下です。`,
    )
  }
  const value = parse(body)
  const problem = textProblem(value) ?? check(value)
  if (problem !== undefined) {
    const { en, ja } = problem.text
    const at = formatPath(problem.path)
    throw new BadRequest(`${at || 'The report'} ${en}`, `${at || 'レポート'} ${ja}`)
  }
  // The schema was checked above.
  const { reference, messageId, status: outcome, at: text } = value as Static<typeof ReportBody>
  const given = parseDatetime(text)
  if (given === undefined) {
    throw new BadRequest(
      'at must be a datetime such as 2026-04-01T00:00:00Z.',
      'at は 2026-04-01T00:00:00Z のような日時です。',
    )
  }
  // The clock of a gateway may be ahead of ours; what it reports has happened.
  const at = given > now ? now : given
  if (messageId !== undefined) {
    return { messageId, outcome, at, ...(reference !== undefined && { reference }) }
  }
  if (reference !== undefined) return { reference, outcome, at }
  throw new BadRequest(
    'reference or messageId is missing.',
    'reference または messageId がありません。',
  )
}

function parse(body: Buffer): unknown {
  try {
    if (isUtf8(body)) return JSON.parse(body.toString('utf8'))
  } catch {
    // Said below, without the text: it may hold anything.
  }
  throw new BadRequest('The report is not valid JSON.', 'レポートが正しいJSONではありません。')
}
