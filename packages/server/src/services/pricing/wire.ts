import type { Product } from './rules.ts'

export function productToWire(product: Product) {
  const { base, hourly, daily, monthly } = product.price
  return {
    ServiceClassID: product.serviceClassId,
    ServiceClassName: product.name,
    ServiceClassPath: product.path,
    DisplayName: product.displayName,
    IsPublic: product.isPublic,
    Price: {
      Base: base,
      Hourly: hourly,
      Daily: daily,
      Monthly: monthly,
      Zone: product.zone ?? '',
    },
  }
}
