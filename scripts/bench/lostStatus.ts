/** Exit status of `bench --against` when a figure is lost; one that could not be measured ends with another. */
export const LOST_STATUS = 3;
