/** What the tests use of the package, which has no types. */
declare module 'smpp' {
  export interface Pdu {
    readonly source_addr: string
    readonly destination_addr: string
    readonly registered_delivery: number
    readonly data_coding: number
    readonly short_message: {
      readonly message: string
      /** The headers of a part, each with its type and length. */
      readonly udh?: readonly Buffer[]
    }
    response(fields?: object): Pdu
  }

  export interface Session {
    on(event: string, listener: (pdu: Pdu) => void): void
    send(pdu: Pdu): void
    deliver_sm(fields: object): void
    destroy(): void
  }

  export interface Server {
    listen(port: number, host: string, callback: () => void): void
    address(): { readonly port: number }
    close(callback?: () => void): void
  }

  const smpp: {
    createServer(listener: (session: Session) => void): Server
    readonly ESME_RTHROTTLED: number
  }
  export default smpp
}
