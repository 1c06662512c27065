// @ts-nocheck
// Type guards for documents and events. They look only at `type`; `validate` checks the rest.

const guard = (type) => (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && value.type === type;

export const isEPCISDocument = /* @__PURE__ */ guard('EPCISDocument');
export const isEPCISQueryDocument = /* @__PURE__ */ guard('EPCISQueryDocument');
export const isObjectEvent = /* @__PURE__ */ guard('ObjectEvent');
export const isAggregationEvent = /* @__PURE__ */ guard('AggregationEvent');
export const isTransactionEvent = /* @__PURE__ */ guard('TransactionEvent');
export const isTransformationEvent = /* @__PURE__ */ guard('TransformationEvent');
export const isAssociationEvent = /* @__PURE__ */ guard('AssociationEvent');
export const isEPCISEvent = (value) =>
  [isObjectEvent, isAggregationEvent, isTransactionEvent, isTransformationEvent, isAssociationEvent].some((is) => is(value));
