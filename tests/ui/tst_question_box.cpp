// The box of questions as it is on the screen: where the keyboard is, and that all of a message can be read.
#include "tests/ui/dialog_window.h"
#include "ui/widgets/question_box.h"
#include "ui/widgets/shape_splitter.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>

using namespace ym;
using namespace ym::test;

class TestQuestionBox : public QObject {
    Q_OBJECT

    static Question removal()
    {
        Question question;
        question.title = QStringLiteral("Remove 7,433 jobs?");
        question.answers = {QStringLiteral("Remove")};
        question.isDestructive = true;
        return question;
    }

private Q_SLOTS:
    void aNameThatHasToBeTypedCanBeTypedAtOnce()
    {
        Question question = removal();
        question.typeToConfirm = QStringLiteral("shop");
        QuestionBox box(question, nullptr);
        showActive(&box);
        type(QStringLiteral("shop"));
        QCOMPARE(box.findChild<QLineEdit *>(QStringLiteral("confirmText"))->text(), QStringLiteral("shop"));
        for (const QPushButton *const button : box.findChildren<QPushButton *>())
            QVERIFY(button->isEnabled());
    }
    void enterIsHarmlessWhereNothingHasToBeTyped()
    {
        QuestionBox box(removal(), nullptr);
        showActive(&box);
        press(Qt::Key_Return);
        QVERIFY(!box.isVisible());
        QCOMPARE(box.result(), int(QDialog::Rejected));
    }
    void aSampleOfIdsIsSeenWithoutScrolling()
    {
        Question question = removal();
        question.details = QString(QStringLiteral("568c9ee5-5175-4175-aa33-000000015175\n")).repeated(12)
            + QStringLiteral("… and 7,421 more");
        QuestionBox box(question, nullptr);
        showActive(&box);
        const auto *const details = box.findChild<QPlainTextEdit *>();
        QCOMPARE(details->verticalScrollBar()->maximum(), 0);
    }

    void twoPartsStandBesideEachOtherWhereItIsWide_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<Qt::Orientation>("orientation");
        QTest::newRow("below the table") << QSize(1072, 260) << Qt::Horizontal;
        QTest::newRow("at the right") << QSize(448, 900) << Qt::Vertical;
        QTest::newRow("high") << QSize(800, 900) << Qt::Vertical;
    }
    void twoPartsStandBesideEachOtherWhereItIsWide()
    {
        QFETCH(QSize, size);
        QFETCH(Qt::Orientation, orientation);
        ShapeSplitter splitter(nullptr);
        splitter.addWidget(new QWidget);
        splitter.addWidget(new QWidget);
        splitter.resize(size);
        splitter.show();
        QTRY_COMPARE(splitter.orientation(), orientation);
        QVERIFY(splitter.sizes().first() > 0 && splitter.sizes().last() > 0);
    }
};

QTEST_MAIN(TestQuestionBox)
#include "tst_question_box.moc"
