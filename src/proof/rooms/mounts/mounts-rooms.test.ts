// Runs the suite for every kind of room on mount namespaces.
import { describeRooms } from "../../../testing/rooms-suite.ts";

describeRooms("mounts");
