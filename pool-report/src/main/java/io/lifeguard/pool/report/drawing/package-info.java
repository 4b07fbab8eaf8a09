/** The report: one HTML file that shows a recording as a picture. */
@NullMarked
package io.lifeguard.pool.report.drawing;

import org.jspecify.annotations.NullMarked;
