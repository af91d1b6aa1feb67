/** The views' public face, for the widget, the side panel and exported pages. */

export {
  APPLY_EVENT,
  CANCEL_EVENT,
  EDITING_EVENT,
  EDITS_EVENT,
  TAKE_BACK_EVENT,
  LABELS_EVENT,
  LANGUAGE_EVENT,
  POINT_EVENT,
  RUN_EVENT,
  SOURCE_EVENT,
  INTERRUPT_EVENT,
  dispatchSkylineEvent,
  onSkylineEvent,
} from './events';
export type {
  ApplyDetail,
  CancelDetail,
  EditingDetail,
  EditsDetail,
  TakeBackDetail,
  LabelsDetail,
  LanguageDetail,
  PointDetail,
  RunDetail,
  SkylineEventMap,
  SourceDetail,
  InterruptDetail,
} from './events';
export type { Direction, Editing, Host, Outcome, Release } from './host';
export { mountDashboard } from './mount';
export type { MountOptions, MountedDashboard } from './mount';
export { speak, trans } from './translate';
export type { Translation } from './translate';
