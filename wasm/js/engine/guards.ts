// Type guards for documents and events. They look only at `type`; `validate` checks the rest.
import type * as Surface from './index.ts';

const guard =
  <Type extends { readonly type: string }>(type: Type['type']) =>
  (value: unknown): value is Type =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && (value as Partial<Type>).type === type;

export const isEPCISDocument: typeof Surface.isEPCISDocument = /* @__PURE__ */ guard('EPCISDocument');
export const isEPCISQueryDocument: typeof Surface.isEPCISQueryDocument = /* @__PURE__ */ guard('EPCISQueryDocument');
export const isObjectEvent: typeof Surface.isObjectEvent = /* @__PURE__ */ guard('ObjectEvent');
export const isAggregationEvent: typeof Surface.isAggregationEvent = /* @__PURE__ */ guard('AggregationEvent');
export const isTransactionEvent: typeof Surface.isTransactionEvent = /* @__PURE__ */ guard('TransactionEvent');
export const isTransformationEvent: typeof Surface.isTransformationEvent = /* @__PURE__ */ guard('TransformationEvent');
export const isAssociationEvent: typeof Surface.isAssociationEvent = /* @__PURE__ */ guard('AssociationEvent');
export const isEPCISEvent = (value: unknown): value is Surface.EPCISEvent =>
  [isObjectEvent, isAggregationEvent, isTransactionEvent, isTransformationEvent, isAssociationEvent].some((is) => is(value));
