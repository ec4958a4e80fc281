/** The port that a plane implements, and what other slices use of it. */
export {
  type Mail,
  type MailContent,
  type Mailer,
  newMessageId,
  SEND_SECONDS_MAX,
  type SendResult,
} from './mailer.ts'
