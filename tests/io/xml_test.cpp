#include "io/xml.h"

#include <gtest/gtest.h>

#include "expect_error.h"

namespace trilith::io {
namespace {

using Document = std::unique_ptr<XmlDocument>;

Result<Document> parse(std::string_view text) { return XmlDocument::parse(text, "t.xml"); }

std::string nested(int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += "<a>";
  for (int i = 0; i < depth; ++i) text += "</a>";
  return text;
}

std::string utf16(std::string_view ascii, bool big) {
  std::string out = big ? "\xfe\xff" : "\xff\xfe";
  for (const char c : ascii) out += big ? std::string{'\0', c} : std::string{c, '\0'};
  return out;
}

TEST(XmlTest, KeepsElementsAttributesAndPlaces) {
  const auto document = parse("<?xml version=\"1.0\"?>\n<!-- note -->\n<m a='1'>\n  <b x=\"&lt;&#65;&amp;\"/>\n  <c/><b\n y='2'/>\n</m>\n");
  ASSERT_TRUE(document) << first_error(document);
  const XmlElement& root = document.value()->root();
  EXPECT_EQ(root.name, "m");
  EXPECT_EQ(root.value("a"), "1");
  const XmlElement& b = *root.first_child;
  EXPECT_EQ(b.value("x"), "<A&");
  EXPECT_EQ(place_of(b), "t.xml:4:3:/m/b");
  const XmlElement& second = *b.next->next;
  EXPECT_EQ(second.next, nullptr);
  EXPECT_EQ(place_of(second), "t.xml:5:7:/m/b[2]");
  EXPECT_EQ(place_of(second, *second.find("y")), "t.xml:6:2:/m/b[2]/@y");
  EXPECT_EQ(second.find("z"), nullptr);
  EXPECT_EQ(second.parent, &root);
}

TEST(XmlTest, CountsLinesOfEveryKindOfLineEnd) {
  const auto document = parse("<m>\r\n\r<b/>\n\n<c/></m>");
  ASSERT_TRUE(document);
  EXPECT_EQ(place_of(*document.value()->root().first_child), "t.xml:3:1:/m/b");
  EXPECT_EQ(place_of(*document.value()->root().first_child->next), "t.xml:5:1:/m/c");
}

TEST(XmlTest, TellsTheLineOfATagThatIsNotClosed) {
  expect_error(parse("<m>\n<b>\n<c/>\n</m>"), "t.xml:4:1", "tag <b> opened in line 2 is not closed: found \"</m>\"");
  expect_error(parse("<m>\n<b x=\">\">\n<!-- </b> -->"), "t.xml:3:14", "tag <b> opened in line 2 is not closed: found the end of the file");
  expect_error(parse("<m/></m>"), "t.xml:1:5", "no tag is open");
}

TEST(XmlTest, RefusesWhatIsNotWellFormed) {
  expect_error(parse("<m a=1/>"), "t.xml:1:6", "attribute");
  expect_error(parse("<m><!-- x"), "t.xml:1:10", "comment");
  expect_error(parse("<m a='1' b='2'\n a='3'/>"), "t.xml:2:2", "attribute \"a\" of <m> stands twice");
  expect_error(parse("<m/><n/>"), "t.xml:1:5", "second top-level element \"n\"");
  expect_error(parse("<m/>\nmore"), "t.xml:2:1", "outside of the root");
  expect_error(parse("<m a='&nothing;'/>"), "t.xml:1:7", "\"&nothing;\"");
  expect_error(parse("<m a='x &#0;'/>"), "t.xml:1:9", "no character");
  expect_error(parse("<m a='fish & chips'/>"), "t.xml:1:12", "&amp;");
  expect_error(parse("<!-- only -->"), "t.xml:1:1", "no element");
}

TEST(XmlTest, RefusesDoctypesAndExpandsNothing) {
  expect_error(parse("<?xml version='1.0'?>\n<!DOCTYPE m [<!ENTITY a 'b'>]><m x='&a;'/>"), "t.xml:2:1", "DOCTYPE");
  expect_error(parse("<!DOCTYPE m SYSTEM 'file:///etc/passwd'><m/>"), "t.xml:1:1", "DOCTYPE");
}

TEST(XmlTest, NamesWhatIsNoXml) {
  expect_error(parse(" \n"), "t.xml", "empty file");
  expect_error(parse("\x89PNG\r\n"), "t.xml", "is a PNG image, not XML");
  expect_error(parse("<html><body/></html>"), "t.xml", "is an HTML page, not XML");
  expect_error(parse("{\"a\": 1}"), "t.xml", "is JSON, not XML");
  expect_error(parse("hello"), "t.xml", "begins with \"hello\"");
  expect_error(parse(std::string("<m a='b\0c'/>", 12)), "t.xml:1:8", "zero byte (offset 7)");
}

TEST(XmlTest, ReadsUtf16AndMarksAndLatin1) {
  for (const bool big : {false, true}) {
    const auto wide = parse(utf16("<m a='xy'/>", big));
    ASSERT_TRUE(wide) << first_error(wide);
    EXPECT_EQ(wide.value()->root().value("a"), "xy");
  }
  const auto surrogates = parse(std::string("\xff\xfe<\0m\0 \0a\0=\0'\0\x3d\xd8\x00\xde'\0/\0>\0", 24));
  ASSERT_TRUE(surrogates) << first_error(surrogates);
  EXPECT_EQ(surrogates.value()->root().value("a"), "\xf0\x9f\x98\x80");
  expect_error(parse("\xff\xfe<"), "t.xml", "damaged UTF-16");
  const auto marked = parse("\xef\xbb\xbf<m/>");
  ASSERT_TRUE(marked);
  EXPECT_EQ(place_of(marked.value()->root()), "t.xml:1:1:/m");
  const auto latin = parse("<m a='\xe9'/>");
  ASSERT_TRUE(latin);
  EXPECT_EQ(latin.value()->root().value("a"), "\xc3\xa9");
  ASSERT_EQ(latin.value()->warnings().size(), 1u);
}

TEST(XmlTest, StopsAtItsDepthLimitWithoutRecursion) {
  EXPECT_TRUE(parse(nested(xml_depth_limit)));
  expect_error(parse(nested(xml_depth_limit + 1)), "t.xml:1:769", "deeper than the limit of 256");
  expect_error(parse(nested(200'000)), "t.xml:1:769", "deeper than the limit of 256");
}

TEST(XmlTest, KeepsLineEndsInValuesAndMarksText) {
  const auto document = parse("<m a='x\ny'>text<b/></m>");
  ASSERT_TRUE(document);
  EXPECT_EQ(document.value()->root().value("a"), "x\ny");
  EXPECT_TRUE(document.value()->root().has_text);
  EXPECT_FALSE(document.value()->root().first_child->has_text);
}

TEST(XmlTest, CountsSiblingsOfOneNameOnly) {
  std::string text = "<m>";
  for (int i = 0; i < 1000; ++i) text += "<b/>";
  const auto document = parse(text + "</m>");
  ASSERT_TRUE(document);
  const XmlElement* last = document.value()->root().first_child;
  while (last->next != nullptr) last = last->next;
  EXPECT_EQ(last->ordinal, 1000u);
}

}  // namespace
}  // namespace trilith::io
